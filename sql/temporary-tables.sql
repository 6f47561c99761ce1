-- What is counted from the logs, in temporary tables of a connection (lib/store/counting.ts). No name
-- is that of a table of the store. day: days since 1970-01-01 UTC.

-- Everybody in the logs, with totals of all time.
create temp table people (
  email          text primary key,
  logins         integer not null default 0,
  timeline_views integer not null default 0,
  join_clicks    integer not null default 0,
  last_login_at  integer,
  last_view_at   integer,
  first_join_at  integer,
  last_join_at   integer,
  last_seen_at   integer not null, -- of all acts
  status         integer as ( -- 1 logged in, 2 viewed, 3 joined
    case when join_clicks > 0 then 3 when timeline_views > 0 then 2 else 1 end)
) strict, without rowid;

create temp table days (
  day            integer primary key,
  logins         integer not null default 0,
  timeline_views integer not null default 0,
  join_clicks    integer not null default 0,
  first_event    integer, -- all events of the day have ids from first to last
  last_event     integer
) strict;

create temp table devices (
  device_type text not null,
  os          text not null,
  browser     text not null,
  events      integer not null,
  primary key (device_type, os, browser)
) strict, without rowid;

-- One row: the last counted id of each log, and the number of deletions under which was counted.
create temp table counted (
  last_event integer,
  last_join  integer,
  deletions  integer not null
) strict;

-- The first count finds another number, so it begins at the beginning.
insert into counted values (null, null, -1);
