/** Dialogs that close when a person presses beside them. */

/** Opens a dialog. The second press of the double click that opens it does not close it again. */
export function openDialog(dialog: HTMLDialogElement): void {
  dialog.onmousedown = ({ detail: presses }) =>
    dialog.setAttribute('closedby', presses > 1 ? 'closerequest' : 'any');
  dialog.showModal();
}
