/** What the story needs of a browser, and what every browser can tell about a page. */

export type Driver = {
  /** Name and version. */
  readonly name: string;
  /** A name of this machine, for which this browser keeps no `Secure` cookie without https. */
  readonly plainHost: string;
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page. @returns what it returns, or its promise gives */
  evaluate<T>(body: string): Promise<T>;
  click(selector: string): Promise<void>;
  /** Types into an element. */
  type(selector: string, text: string): Promise<void>;
  /** Presses a key on the element that has the focus. */
  press(key: keyof typeof KEYS): Promise<void>;
  /** Chooses an option of a list. */
  select(selector: string, value: string): Promise<void>;
  /** Pastes the clipboard where the focus is, by the keyboard. */
  paste(): Promise<void>;
  /** Gives the page's viewport a size in CSS px. */
  resize(width: number, height: number): Promise<void>;
  /** A PNG of the viewport. */
  screenshot(): Promise<Buffer>;
  /** Ends the visit: without cookies, the next page belongs to a new visitor. */
  forget(): Promise<void>;
  /** What the browser's own console has reported so far, as far as the driver can read it. */
  faults(): Promise<readonly string[]>;
  /** The page as a PDF, in browsers that make one by command. */
  print?(): Promise<Buffer>;
  close(): Promise<void>;
};

/** Keys of the story, in the code points of WebDriver. */
export const KEYS = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  End: '\uE010',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
  '/': '/',
} as const;

/** A host name that the browsers resolve to this machine. */
export const DOMAIN = 'guestlist.example.com';

/** How long a page may take to become what the story waits for, and a script in it, in ms. */
export const PATIENCE = 120_000;

/** Waits until an expression is true in the page, also while it changes from page to page. */
export async function until(driver: Pick<Driver, 'evaluate'>, condition: string): Promise<void> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    // Between two pages there is nothing to ask.
    if (await driver.evaluate<boolean>(`return !!(${condition})`).catch(() => false)) return;
    if (Date.now() > end) {
      const at = 'return location.href + "\\n" + document.body.innerText.slice(0, 2000)';
      throw new Error(`not so: ${condition}\n${await driver.evaluate<string>(at)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the page has the size of its window, which it may learn late. */
export const isSized = (
  driver: Pick<Driver, 'evaluate'>,
  width: number,
  height: number,
): Promise<void> => until(driver, `innerWidth === ${width} && innerHeight === ${height}`);

/** An element, as an expression in the page. */
export const find = (selector: string): string => `document.querySelector('${selector}')`;
