-- counted.db: what has been counted from the logs. Nothing is subtracted; it can be rebuilt at any
-- time. A name may not be in the store too. day: days since 1970-01-01 UTC.

-- One row: the last counted row of each log. Other content means that rows were lost.
create table bookmark (
  events        integer not null, -- id
  last_event    text,             -- content
  project_joins integer not null,
  last_join     text,
  doubt         integer not null, -- the number in the store under which this is counted
  made          integer not null, -- a random number of each making
  complete      integer not null check (complete in (0, 1)) -- whether the end was ever reached
) strict;

-- Everybody in the logs, with totals of all time.
create table people (
  id             integer primary key,
  email          text not null unique,
  logins         integer not null,
  timeline_views integer not null,
  join_clicks    integer not null,
  last_login_at  integer,
  last_view_at   integer,
  first_join_at  integer,
  last_join_at   integer,
  last_seen_at   integer as (
    max(ifnull(last_login_at, last_view_at), ifnull(last_view_at, last_login_at))),
  status         integer as ( -- 1 logged in, 2 viewed, 3 joined
    case when join_clicks > 0 then 3 when timeline_views > 0 then 2 else logins > 0 end)
) strict;

-- By day first, so that the people of one day are on few pages.
create table person_days (
  day            integer,
  person         integer,
  logins         integer not null,
  timeline_views integer not null,
  join_clicks    integer not null,
  last_seen_at   integer, -- of logins and views
  primary key (day, person)
) strict, without rowid;

-- All rows of a day have ids from first to last.
create table days (
  day            integer primary key,
  logins         integer not null,
  timeline_views integer not null,
  join_clicks    integer not null,
  first_event    integer,
  last_event     integer,
  first_join     integer,
  last_join      integer
) strict;

create table devices (
  device_type text not null,
  os          text not null,
  browser     text not null,
  events      integer not null,
  primary key (device_type, os, browser)
) strict, without rowid;
