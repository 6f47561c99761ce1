-- Counts the logs into temporary tables of a connection (lib/store/counting.ts). No table of the store
-- has their names. A day is a number of days since 1970-01-01 UTC, rounded down.

-- Everybody in the logs, with totals of all time. status: 1 logged in, 2 viewed, 3 joined.
create temp table people (
  email text primary key, logins integer, timeline_views integer, join_clicks integer,
  last_login integer, last_view integer, first_join integer, last_join integer, last_seen integer,
  first_event integer, last_event integer, -- ids
  status integer as (iif(join_clicks > 0, 3, iif(timeline_views > 0, 2, 1)))
) strict, without rowid;

-- All events of a day have ids from first_id to last_id.
create temp table days (
  day integer primary key, logins integer, timeline_views integer, join_clicks integer,
  first_id integer, last_id integer
) strict;

create temp table devices (
  device_type text, os text, browser text, events integer,
  primary key (device_type, os, browser)
) strict, without rowid;

-- The last counted id of each log, and the number of deletions at that time.
create temp table counted as select 0 as event, 0 as click, 0 as deletions;

-- What is new. The plus keeps SQLite from reading all joins by the index of addresses.
create temp view acts as
  select email, occurred_at as at, id as event, event_type = 'login' as login,
    event_type = 'timeline_view' as view, 0 as click
  from main.events where id > (select event from counted)
  union all select +email, clicked_at, null, 0, 0, 1
  from main.project_joins where id > (select click from counted);

insert into people (email, logins, timeline_views, join_clicks, last_login, last_view, first_join,
    last_join, last_seen, first_event, last_event)
  select email, sum(login), sum(view), sum(click), max(iif(login, at, null)),
    max(iif(view, at, null)), min(iif(click, at, null)), max(iif(click, at, null)), max(at),
    min(event), max(event)
  from acts group by email
  on conflict do update set
    logins = logins + excluded.logins, timeline_views = timeline_views + excluded.timeline_views,
    join_clicks = join_clicks + excluded.join_clicks,
    last_login = coalesce(max(last_login, excluded.last_login), last_login, excluded.last_login),
    last_view = coalesce(max(last_view, excluded.last_view), last_view, excluded.last_view),
    first_join = coalesce(min(first_join, excluded.first_join), first_join, excluded.first_join),
    last_join = coalesce(max(last_join, excluded.last_join), last_join, excluded.last_join),
    last_seen = max(last_seen, excluded.last_seen),
    first_event = coalesce(min(first_event, excluded.first_event), first_event, excluded.first_event),
    last_event = coalesce(max(last_event, excluded.last_event), last_event, excluded.last_event);

insert into days (day, logins, timeline_views, join_clicks, first_id, last_id)
  select at / 86400000 - (at % 86400000 < 0), sum(login), sum(view), sum(click),
    min(event), max(event)
  from acts group by 1
  on conflict do update set
    logins = logins + excluded.logins, timeline_views = timeline_views + excluded.timeline_views,
    join_clicks = join_clicks + excluded.join_clicks,
    first_id = coalesce(min(first_id, excluded.first_id), first_id, excluded.first_id),
    last_id = coalesce(max(last_id, excluded.last_id), last_id, excluded.last_id);

insert into devices
  select device_type, os, browser, count(*)
  from events where id > (select event from counted) group by 1, 2, 3
  on conflict do update set events = events + excluded.events;

update counted set
  event = ifnull((select max(id) from events), event),
  click = ifnull((select max(id) from project_joins), click);
