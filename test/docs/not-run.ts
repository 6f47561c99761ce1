/** The commands of the documents that documents.release.ts does not run, each with the reason. */
type NotRun = {
  readonly document: string;
  readonly heading: string;
  /** The first line of the block. */
  readonly begins: string;
  readonly reason: string;
};

const SUITES = 'these are the suites and checks themselves, which .ci/run runs';
const COMPOSE =
  'no engine with Compose; test/container runs the image, and test/deploy reads the file';
const PACKAGES = 'the packages come from the machine of the test';
const LITESTREAM = 'needs systemd; the long suite runs Litestream';

export const NOT_RUN: readonly NotRun[] = [
  { document: 'CONTRIBUTING.md', heading: 'Begin', begins: 'npm ci', reason: SUITES },
  { document: 'CONTRIBUTING.md', heading: 'Test', begins: 'npm test', reason: SUITES },
  {
    document: 'docs/containers.md',
    heading: 'Start it',
    begins: 'docker compose',
    reason: COMPOSE,
  },
  {
    document: 'docs/containers.md',
    heading: 'Change the site',
    begins: 'docker compose',
    reason: COMPOSE,
  },
  {
    document: 'docs/containers.md',
    heading: 'Back up and restore',
    begins: 'docker compose',
    reason: COMPOSE,
  },
  { document: 'docs/install.md', heading: 'Install', begins: 'apt-get update', reason: PACKAGES },
  {
    document: 'docs/install.md',
    heading: 'Make the site',
    begins: 'nano',
    reason: 'an editor waits for a person; the test writes the file',
  },
  {
    document: 'docs/install.md',
    heading: 'Back up',
    begins: 'ssh-keygen',
    reason: 'asks for the password of another machine; a script stands in for ssh',
  },
  {
    document: 'docs/operations.md',
    heading: 'Find a fault',
    begins: 'journalctl',
    reason: 'a container has no journal',
  },
  {
    document: 'docs/operations.md',
    heading: 'The disk is full',
    begins: 'rm ',
    reason:
      'the name is an example; the others delete logs and packages of the machine of the test',
  },
  { document: 'docs/standby.md', heading: 'Set it up', begins: 'systemctl', reason: LITESTREAM },
  {
    document: 'docs/standby.md',
    heading: 'Restore from the standby copy',
    begins: 'systemctl',
    reason: LITESTREAM,
  },
  {
    document: 'docs/standby.md',
    heading: 'Use nginx in place of Caddy',
    begins: 'umask',
    reason: PACKAGES,
  },
  {
    document: 'docs/standby.md',
    heading: 'Use nginx in place of Caddy',
    begins: 'apt-get',
    reason: "Let's Encrypt cannot reach the machine of the test",
  },
  {
    document: 'docs/standby.md',
    heading: 'Use nginx in place of Caddy',
    begins: 'cd /opt',
    reason:
      'test/proxies runs nginx with these files, and with the command that changes its main file',
  },
];
