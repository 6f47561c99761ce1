/** Pairs of Node and npm, this machine's own or from the npm registry, and their environments. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import { run } from './commands.ts';

/** Ranges of versions; `undefined` is the version of this machine. */
export type Pair = { readonly node: string | undefined; readonly npm: string | undefined };

/** The oldest Node that is supported, and the newest of each major version. */
const NODES = ['20.11', '20', '22', '24', '26'];
const NPMS = ['10', '11', '12'];

const OWN: Pair = { node: undefined, npm: undefined };

export const ALL: readonly Pair[] = [
  OWN,
  ...NODES.flatMap((node) => NPMS.map((npm) => ({ node, npm }))),
];

/** This machine's, and each other major version of Node with the newest npm that supports it. */
export const USUAL: readonly Pair[] = [
  OWN,
  ...[
    { node: '20', npm: '11' },
    { node: '22', npm: '12' },
    { node: '24', npm: '12' },
    { node: '26', npm: '12' },
  ].filter(({ node }) => !process.version.startsWith(`v${node}.`)),
];

export const describePair = ({ node, npm }: Pair): string =>
  node === undefined ? "this machine's Node and npm" : `Node ${node} with npm ${npm}`;

/** Variables that depend on this user, this checkout, or the script that npm is running. */
const PRIVATE = /^(npm_.*|xdg_.*|init_cwd|node|node_env|public_origin|port)$/i;

/** Settings of npm, in its file and as variables, that are needed to reach the registry. */
const REGISTRY = /^(npm_config_)?(registry|ca|cafile|proxy|https?[-_]proxy|@.+:registry|\/\/.+)$/i;

/**
 * The environment in which a pair runs, with an empty home folder, which holds npm's cache.
 *
 * @param folder for the home folder and for files from the registry
 */
export async function environment(pair: Pair, folder: string): Promise<NodeJS.ProcessEnv> {
  const own = isolated(fs.mkdtempSync(path.join(folder, 'home-')));
  if (pair.node === undefined) return forNode(own, path.dirname(process.execPath), []);
  const node = `node-${process.platform}-${process.arch}`;
  const bin = path.join(await fetched(node, pair.node, folder, own), 'node_modules', node, 'bin');
  const npm = path.join(await fetched('npm', pair.npm, folder, own), 'node_modules', '.bin');
  return forNode(own, bin, [npm]);
}

function isolated(home: string): NodeJS.ProcessEnv {
  const { NPM_CONFIG_USERCONFIG, npm_config_userconfig = NPM_CONFIG_USERCONFIG } = process.env;
  const config = npm_config_userconfig ?? path.join(os.homedir(), '.npmrc');
  const lines = fs.existsSync(config) ? fs.readFileSync(config, 'utf8').split('\n') : [];
  const kept = lines.filter((line) => REGISTRY.test(line.split('=', 1)[0]?.trim() ?? ''));
  fs.writeFileSync(path.join(home, '.npmrc'), kept.map((line) => `${line}\n`).join(''));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !PRIVATE.test(name) || REGISTRY.test(name),
  );
  return { ...Object.fromEntries(inherited), HOME: home, npm_config_update_notifier: 'false' };
}

function forNode(
  env: NodeJS.ProcessEnv,
  bin: string,
  before: readonly string[],
): NodeJS.ProcessEnv {
  const programs = env.PATH?.split(path.delimiter).filter((dir) => !dir.startsWith(root)) ?? [];
  const PATH = [...before, bin, ...programs].join(path.delimiter);
  // Node's headers lie beside it, so that compiling fetches none from nodejs.org.
  const prefix = path.dirname(fs.realpathSync(bin));
  const headers = fs.existsSync(path.join(prefix, 'include', 'node', 'node.h'));
  return { ...env, PATH, ...(headers && { npm_package_config_node_gyp_nodedir: prefix }) };
}

/** Installs a package from the registry once. @returns the folder that holds its `node_modules` */
async function fetched(
  name: string,
  range: string | undefined,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const prefix = path.join(folder, `${name}-${range}`);
  if (fs.existsSync(prefix)) return prefix;
  const spec = `${name}@${range}`;
  const draft = fs.mkdtempSync(path.join(folder, 'fetch-'));
  try {
    await run(['npm', 'install', '--prefix', draft, spec], { cwd: draft, env });
  } catch (error) {
    throw new Error(`${spec} cannot be fetched from the npm registry`, { cause: error });
  }
  // For tests that run the service as another user.
  fs.chmodSync(draft, 0o755);
  fs.renameSync(draft, prefix);
  return prefix;
}

/** The versions that an environment really has, and whether npm supports that Node. */
export async function versions(env: NodeJS.ProcessEnv, cwd: string) {
  const said = await Promise.all(
    ['node', 'npm'].map((program) => run([program, '--version'], { cwd, env })),
  );
  const [node = '', npm = ''] = said.map((text) => /^v?(\d+\.\d+\.\d+)$/m.exec(text)?.[1]);
  return { node, npm, supported: !/does not support Node/.test(said.join()) };
}
