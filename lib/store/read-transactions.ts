/** Read transactions for exports, each on a connection of its own. */
import Database from './file/sqlite.ts';

/** Connections are used again, because Node 24 never frees one (sqlite.ts). Few are open at once. */
export function readTransactions<Readers>(
  file: string,
  makeReaders: (db: Database.Database) => Readers,
) {
  const idle: (readonly [db: Database.Database, readers: Readers])[] = [];
  return {
    begin() {
      const [db, known] = idle.pop() ?? [new Database(file, { readonly: true }), undefined];
      try {
        // SQLite takes the snapshot at the first read.
        db.exec('begin; select count(*) from sqlite_schema');
        const readers = known ?? makeReaders(db);
        const close = () => {
          db.exec('rollback');
          idle.push([db, readers]);
        };
        return { ...readers, close };
      } catch (error) {
        db.close();
        throw error;
      }
    },
    close(): void {
      for (const [db] of idle) db.close();
    },
  };
}
