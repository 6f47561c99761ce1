-- The temporary tables of a connection. count.sql fills them from the logs. Their names differ from
-- those of the store's tables. A day is the number of days since 1970-01-01 UTC, rounded down.

-- Everybody in the logs, with totals of all time. A status is 1 (logged in), 2 (viewed) or 3
-- (joined).
create temp table person_totals (
  email text primary key,
  logins integer,
  timeline_views integer,
  join_clicks integer,
  last_login integer,
  last_view integer,
  first_join integer,
  last_join integer,
  last_seen integer,
  -- The ids of the person's first and last event.
  first_event integer,
  last_event integer,
  status integer as (iif(join_clicks > 0, 3, iif(timeline_views > 0, 2, 1)))
) strict, without rowid;

create temp table day_totals (
  day integer primary key,
  logins integer,
  timeline_views integer,
  join_clicks integer,
  -- All events of the day have ids between first_event and last_event.
  first_event integer,
  last_event integer
) strict;

create temp table device_totals (
  device_type text,
  os text,
  browser text,
  events integer,
  primary key (device_type, os, browser)
) strict, without rowid;

-- The last counted id of each log, and the number of deletions at that time.
create temp table counted as
  select 0 as event, 0 as click, 0 as deletions;

-- The new rows of both logs: who did what, and when. Only events have an id here. The plus in
-- +email keeps SQLite from reading all joins through the index of addresses.
create temp view acts as
  select event_type as act, email, occurred_at as at, id as event
  from main.events
  where id > (select event from counted)
  union all
  select 'join', +email, clicked_at, null
  from main.project_joins
  where id > (select click from counted);
