export async function slowDisk(..._: unknown[]): Promise<string> {
  return '';
}
