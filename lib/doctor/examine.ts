/**
 * Runs all checks of the doctor. A check returns its message, or throws a fault with its remedy. It
 * may import any other folder, and changes nothing.
 */
import { readSettings, type Settings } from '../config.ts';
import * as machine from './machine.ts';
import { checkPublic, checkService } from './service.ts';

export type Finding = Awaited<ReturnType<typeof find>>;

/** @param env holds the settings */
export async function examineInstallation(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  let settings: Settings | undefined;
  const findings = [
    await find('settings', () => {
      settings = readSettings(env);
      return machine.checkSettings(settings);
    }),
    await find('node', machine.checkNode),
    await find('site', () => machine.checkSite(settings?.publicOrigin ?? '')),
    await find('data', machine.checkData),
    await find('snapshot', machine.checkSnapshot),
    await find('disk', machine.checkDisk),
  ];
  if (!settings) return findings;
  const { port, publicOrigin, production } = settings;
  const service = await find('service', () => checkService(port));
  return [...findings, service, await find('public', () => checkPublic(publicOrigin, production))];
}

async function find(check: string, look: () => string | Promise<string>) {
  try {
    return { check, ok: true, message: await look() };
  } catch (error) {
    return { check, ok: false, message: (error as Error).message };
  }
}
