-- Logins and timeline views, with the device that the User-Agent names.

create table events (
  id          integer primary key autoincrement,
  event_type  text not null,
  email       text not null,
  occurred_at integer not null,
  session_id  text not null,
  device_type text not null,
  os          text not null,
  browser     text not null,
  meta        text,
  check (email = lower(trim(email))),
  check (
    (event_type = 'login' and meta is null)
    or (event_type = 'timeline_view' and meta is not null and json_valid(meta))
  )
) strict;

-- The only index, because a view must not write one.
create index logins on events (event_type) where event_type = 'login';

create trigger events_update before update on events begin
  select raise(abort, 'an event is never changed, only added or deleted');
end;

-- One row. The number changes when a row of a log is deleted, or a snapshot is restored. Counts that
-- were made under another number are rebuilt (sql/counts.sql).
create table doubt (
  id     integer primary key check (id = 1),
  number integer not null
) strict;

insert into doubt values (1, random());

create trigger events_delete after delete on events begin
  update doubt set number = random();
end;

create trigger project_joins_delete after delete on project_joins begin
  update doubt set number = random();
end;
