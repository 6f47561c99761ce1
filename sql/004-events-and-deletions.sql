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
  check (event_type = 'login' and meta is null
    or event_type = 'timeline_view' and meta is not null and json_valid(meta))
) strict;

-- The only index, because a view must not write one.
create index logins on events (event_type) where event_type = 'login';

create trigger events_update before update on events begin
  select raise(abort, 'an event is never changed, only added or deleted');
end;

-- One row: how many rows of the logs were deleted. When it differs, sql/count.sql counts anew.
create table deletions (number integer not null) strict;

insert into deletions values (0);

create trigger events_delete after delete on events begin
  update deletions set number = number + 1;
end;

create trigger project_joins_delete after delete on project_joins begin
  update deletions set number = number + 1;
end;
