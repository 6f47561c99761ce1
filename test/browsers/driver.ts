/** What the stories need of a browser, by the commands of W3C WebDriver. */

export type Driver = {
  /** Name and version. */
  readonly name: string;
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page. @returns what it returns, or its promise gives */
  evaluate<T>(body: string): Promise<T>;
  click(selector: string): Promise<void>;
  /** Types into an element, which gets the focus. */
  type(selector: string, text: string): Promise<void>;
  /** Gives the window a width, in CSS px. */
  resize(width: number): Promise<void>;
  /** Forgets all cookies: the next page belongs to a new visitor. */
  forget(): Promise<void>;
  close(): Promise<void>;
};

/** The commands in use: as Marionette names them, and as an HTTP request within the session. */
export const COMMANDS = {
  'WebDriver:Navigate': 'POST /url',
  'WebDriver:ExecuteScript': 'POST /execute/sync',
  'WebDriver:FindElement': 'POST /element',
  'WebDriver:ElementClick': 'POST /element/{id}/click',
  'WebDriver:ElementSendKeys': 'POST /element/{id}/value',
  'WebDriver:SetWindowRect': 'POST /window/rect',
  'WebDriver:DeleteAllCookies': 'DELETE /cookie',
} as const;

/** Sends a command. @returns its value; @throws if the browser answers with an error */
export type Send = (command: keyof typeof COMMANDS, parameters?: object) => Promise<unknown>;

/** Keys, in the code points of WebDriver. */
export const [TAB, ENTER, ESCAPE] = ['\uE004', '\uE007', '\uE00C'] as const;

/** How long a page may take to become what the story waits for, and a script in it, in ms. */
export const PATIENCE = 60_000;

/** An element, as an expression in the page. */
export const find = (selector: string): string => `document.querySelector('${selector}')`;

/** Waits until an expression is true in the page, also while it changes from page to page. */
export async function until(driver: Pick<Driver, 'evaluate'>, condition: string): Promise<void> {
  const end = Date.now() + PATIENCE;
  // Between two pages there is nothing to ask.
  while (!(await driver.evaluate(`return !!(${condition})`).catch(() => false))) {
    if (Date.now() > end) {
      const at = 'return location.href + "\\n" + document.body.innerText.slice(0, 2000)';
      throw new Error(`not so: ${condition}\n${await driver.evaluate<string>(at)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** @param send sends to the browser; @param close ends it */
export function webDriver(name: string, send: Send, close: () => Promise<void>): Driver {
  const evaluate = async <T>(body: string): Promise<T> => {
    const script = `return (async () => { ${body} })()`;
    const value = await send('WebDriver:ExecuteScript', { script, args: [] });
    return value as T;
  };
  /** Brings an element into view at once, also where the page scrolls smoothly. */
  const show = async (selector: string): Promise<string> => {
    await evaluate(
      `${find(selector)}.scrollIntoView({ behavior: 'instant', block: 'center' });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`,
    );
    const query = { using: 'css selector', value: selector };
    return String(Object.values(Object(await send('WebDriver:FindElement', query)))[0]);
  };
  return {
    name,
    evaluate,
    close,
    async open(url) {
      await send('WebDriver:Navigate', { url });
    },
    async click(selector) {
      await send('WebDriver:ElementClick', { id: await show(selector) });
    },
    async type(selector, text) {
      await send('WebDriver:ElementSendKeys', { id: await show(selector), text });
    },
    async resize(width) {
      await send('WebDriver:SetWindowRect', { x: 0, y: 0, width, height: 900 });
      await until({ evaluate }, `Math.abs(outerWidth - ${width}) < 1 && innerWidth <= ${width}`);
    },
    async forget() {
      await send('WebDriver:DeleteAllCookies');
    },
  };
}
