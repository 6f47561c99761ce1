/** What is recorded: visitors, administrators and operators at work. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { listSnapshots, snapshotFolder } from '../../../lib/store/file/snapshots.ts';
import { read, withDatabase } from '../../support/database.ts';
import { makeFormerStore } from '../../support/old-store.ts';
import {
  ADA,
  CHECKPOINT,
  changeAndDie,
  difference,
  inviteByTool,
  inviteByWeb,
  leaveTraces,
  logIn,
  makeLongLog,
  makeStore,
  NEW,
  type Running,
  runSql,
  view,
  visit,
} from './actions.ts';
import { readContents } from './examine.ts';
import type { Effects, Story } from './recording.ts';

/** Pages in the log at which the server, and a tool, make a checkpoint. */
const SERVER_CHECKPOINT = 4000;
const TOOL_CHECKPOINT = 1000;

/** Tells what is about a person. */
const about = (email: string) => (name: string) => name.split(' ')[1] === email;

const snapshotIn = (printed: string): Effects => [
  [`snapshot ${path.basename(JSON.parse(printed).file)}`, 1],
];

const people = (number: number) =>
  Array.from({ length: number }, (_, n) => `visitor${n}@example.com`);

const visits = (server: Running, emails: readonly string[]) =>
  Promise.all(emails.map((email, n) => visit(server, email, 1 + (n % 3))));

/** Invitees come all at once. */
export const load: Story = {
  prepare: makeStore,
  async tell(recorder) {
    recorder.begin('load: logins, views, joins, invites, logouts');
    const server = await recorder.start();
    const ada = await logIn(server, ADA);
    const invited = people(4);
    for (const email of invited) await inviteByWeb(server, ada, email);
    await visits(server, invited);
    await server.stop();
  },
};

/** From the very first start to a restore. @param visitors how many come at once; at least 3 */
export const wholeLife = (visitors: number): Story => ({
  async tell(recorder, { store }) {
    const { begin, tool, undo } = recorder;
    const invited = people(visitors);
    const everybody = (server: Running) => visits(server, invited);

    begin('the very first start');
    const server = await recorder.start();
    await inviteByTool(recorder, ADA);
    await tool('invite', ['admin', 'add', ADA], [[`admin ${ADA}`, 1]]);
    const ada = await logIn(server, ADA);

    begin('load, while the log is new');
    for (const email of invited) await inviteByWeb(server, ada, email);
    await everybody(server);

    begin('a log begun anew, after a checkpoint of another program');
    const meanwhile = everybody(server);
    await runSql(recorder, store, [CHECKPOINT]);
    await meanwhile;
    await runSql(recorder, store, [CHECKPOINT]);
    await everybody(server);

    const [removed = '', forgotten = '', former = ''] = invited;
    const forget = (email: string) =>
      tool('person', ['forget', email, '--yes'], undo(about(email)), email);

    begin('person forget');
    // What an interrupted backup leaves.
    await recorder.run([], 'mkdir', snapshotFolder(store));
    await runSql(recorder, store, [`vacuum into '${snapshotFolder(store)}/draft'`]);
    await forget(former);
    invited.splice(invited.indexOf(former), 1);

    begin('backup create');
    const during = everybody(server);
    await tool('backup', ['create', '--json'], snapshotIn);
    await during;

    begin('invite remove');
    await logIn(server, removed);
    const ofRemoved = (name: string) =>
      name === `invite ${removed}` || name.startsWith(`session ${removed} `);
    await tool('invite', ['remove', removed, '--end-sessions'], undo(ofRemoved));

    begin('person forget, with VACUUM and snapshots');
    await runSql(recorder, store, leaveTraces(forgotten), [
      [`login ${forgotten} s`, 200],
      [`login ${forgotten} s`, -200],
    ]);
    await forget(forgotten);
    await view(server, ADA, ada);

    begin('stop');
    await server.stop();

    begin('backup restore');
    const old = read(store, readContents);
    const [snapshot = { file: '' }] = listSnapshots(store);
    await tool('backup', ['restore', snapshot.file, '--yes', '--json'], (printed) => [
      ...difference(old, read(store, readContents)),
      [`snapshot ${path.basename(JSON.parse(printed).replaced)}`, 1],
    ]);

    begin('after a restore');
    const restored = await recorder.start();
    await visit(restored, ADA);

    begin('backup prune');
    const pruned = [`snapshot ${path.basename(snapshot.file)}`, -1] as const;
    await tool('backup', ['prune', '--keep', '1'], [pruned]);
    await restored.stop();
  },
});

/** The first invite makes the store. */
export const firstInvite: Story = {
  async tell(recorder) {
    recorder.begin('the very first invite add');
    await inviteByTool(recorder, ADA);
  },
};

/** The same, in a folder that another program has made. */
export const foreignFolder: Story = {
  async tell(recorder, { store }) {
    recorder.begin('the very first invite add, in the folder of another program');
    await recorder.run([], 'mkdir', path.dirname(store));
    await inviteByTool(recorder, ADA);
  },
};

/** A backup that was killed has made its folder and no more. */
export const backupAfterKill: Story = {
  prepare: makeStore,
  async tell({ begin, run, tool }, { store }) {
    begin('backup create, after one that was killed');
    await run([], 'mkdir', snapshotFolder(store));
    await tool('backup', ['create', '--json'], snapshotIn);
  },
};

/** The server starts with a store of 1.0.0. */
export const migration: Story = {
  prepare: makeFormerStore,
  async tell(recorder) {
    recorder.begin('migration');
    const server = await recorder.start();
    await visit(server, ADA);
    await server.stop();
  },
};

/** A tool finds the invite that the server has committed and does not have on disk yet. */
export const slowSync: Story = {
  prepare: makeStore,
  async tell(recorder, { store }) {
    recorder.begin('a tool beside a slow sync');
    const server = await recorder.start('-e', 'inject=fdatasync:delay_enter=2s');
    const ada = await logIn(server, ADA);
    const invited = inviteByWeb(server, ada, NEW);
    while (!read(store, readContents).has(`invite ${NEW}`)) await setTimeout(1);
    await recorder.tool('invite', ['add', NEW], [[`invite ${NEW}`, 0]]);
    await invited;
    await server.stop();
  },
};

/** The server itself makes a checkpoint. */
export const serverCheckpoint: Story = {
  prepare: (store) => makeLongLog(store, SERVER_CHECKPOINT - 60),
  async tell(recorder) {
    recorder.begin('a checkpoint of the server');
    const server = await recorder.start();
    for (let i = 0; i < 5; i += 1) await visit(server, ADA);
    await server.stop();
  },
};

/** A tool makes a checkpoint while the server writes. */
export const toolCheckpoint: Story = {
  prepare: (store) => makeLongLog(store, TOOL_CHECKPOINT),
  async tell(recorder) {
    recorder.begin('a checkpoint of a tool');
    const server = await recorder.start();
    const during = visit(server, ADA, 20);
    await inviteByTool(recorder, NEW);
    await during;
    await visit(server, NEW);
    await server.stop();
  },
};

/** A snapshot that was copied with its log holds a person. */
export const snapshotWithLog: Story = {
  prepare(store) {
    makeStore(store);
    const snapshot = path.join(snapshotFolder(store), 'guestlist-20260101T000000Z.db');
    fs.mkdirSync(snapshotFolder(store));
    fs.copyFileSync(store, snapshot);
    const insert = `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
       values ('login', ?, 1, 's', 'desktop', '', '')`;
    withDatabase(snapshot, (db) => db.prepare(insert).run(NEW));
    changeAndDie(snapshot, (db) => db.prepare(insert).run(ADA));
  },
  async tell(recorder) {
    recorder.begin('person forget, with a snapshot and its log');
    await recorder.tool('person', ['forget', NEW, '--yes'], [], NEW);
  },
};
