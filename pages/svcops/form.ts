/** Forms that send something when they are submitted, and say what the service refused. */
import { find } from '../everyone/shared.ts';
import { Failure, report } from './api.ts';
import { element, whileBusy } from './elements.ts';

/** The names of the fields that the service can refuse. */
const FIELDS: Readonly<Record<string, string>> = {
  invalid_email: 'email',
  invalid_first_name: 'firstName',
};

/** @param selector of a form with a button and an element whose role is `status` */
export function startForm(selector: string, work: () => Promise<void>): void {
  const submit = find(`${selector} button`, HTMLButtonElement);
  const outcome = find(`${selector} [role="status"]`, HTMLElement);

  function refuse(error: unknown): void {
    const { code, message } = error instanceof Failure ? error : new Failure('unexpected');
    const field = FIELDS[code];
    if (field === undefined) {
      report(error);
    } else {
      outcome.append(element('span', 'failed', message));
      find(`${selector} [name="${field}"]`, HTMLInputElement).focus();
    }
  }

  find(selector, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    outcome.replaceChildren();
    whileBusy(submit, () => work().catch(refuse));
  });
}
