/** All checks of the doctor. */
import { checkClientAddress } from './client-address.ts';
import { type Finding, finding } from './finding.ts';
import {
  checkBuild,
  checkContent,
  checkData,
  checkNode,
  checkSettings,
  checkSqlite,
  mayReadData,
} from './installation.ts';
import { checkPublic, checkService } from './service.ts';
import { checkDisk, checkSnapshot, checkStore } from './store.ts';

/** Checks this installation. @param env holds the settings */
export async function examine(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const { result, settings } = checkSettings(env);
  const { results, site } = checkContent(settings?.publicOrigin ?? '');
  const sqlite = finding('sqlite', checkSqlite());
  const findings = [
    finding('node', checkNode()),
    sqlite,
    finding('build', checkBuild()),
    finding('settings', result),
    ...results.map((each) => finding('content', each)),
    finding('data', checkData()),
  ];
  if (mayReadData()) {
    if (sqlite.ok) findings.push(...checkStore(), finding('snapshot', checkSnapshot()));
    findings.push(finding('disk', checkDisk()));
  }
  if (!settings) return findings;
  const service = finding('service', await checkService(settings, site));
  findings.push(service, finding('public', await checkPublic(settings)));
  // Without TLS there is no proxy to check; the finding about the settings says so.
  if (service.ok && settings.publicOrigin.startsWith('https:'))
    findings.push(finding('address', await checkClientAddress(settings)));
  return findings;
}
