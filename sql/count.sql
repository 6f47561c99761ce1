-- A step of counting (lib/store/rows/counting.ts): adds up to @rows rows behind each bookmark to the
-- totals, and moves the bookmarks. "First" and "last" are by id. day: whole days since 1970-01-01 UTC.

insert into people (email)
  select distinct email from (
    select * from (
      select email from events
      where id > (select through from counted where log = 'events') order by id limit @rows)
    union all select * from (
      select email from project_joins
      where id > (select through from counted where log = 'project_joins') order by id limit @rows))
  where email not in (select email from people);

-- The rows of this step, as integers, because text takes twice as long.
delete from fresh;

insert into fresh
  select waiting.id, people.id, at / 86400000, at, login, view, click from (
    select * from (
      select id, email, occurred_at as at, event_type = 'login' as login,
        event_type = 'timeline_view' as view, 0 as click
      from events
      where id > (select through from counted where log = 'events') order by id limit @rows)
    union all select * from (
      select id, email, clicked_at, 0, 0, 1
      from project_joins
      where id > (select through from counted where log = 'project_joins') order by id limit @rows)
  ) as waiting cross join people using (email);

insert into day_totals
  select day, sum(login), sum(view), sum(click),
    min(id) filter (where not click), max(id) filter (where not click),
    min(id) filter (where click), max(id) filter (where click)
  from fresh group by day
  on conflict do update set
    logins         = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    join_clicks    = join_clicks + excluded.join_clicks,
    first_event    = ifnull(first_event, excluded.first_event),
    last_event     = ifnull(excluded.last_event, last_event),
    first_join     = ifnull(first_join, excluded.first_join),
    last_join      = ifnull(excluded.last_join, last_join);

insert into person_days
  select day, person, sum(login), sum(view), sum(click), max(at) filter (where not click)
  from fresh group by day, person
  on conflict do update set
    logins         = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    join_clicks    = join_clicks + excluded.join_clicks,
    last_seen_at   = coalesce(
      max(last_seen_at, excluded.last_seen_at), last_seen_at, excluded.last_seen_at);

-- Events and clicks apart, because an index of a column that is set is written.
insert into activity (person, logins, timeline_views, last_seen_at, last_login_day, last_view_day)
  select person, logins, views, (select occurred_at from events where id = last), login_day, view_day
  from (
    select person, sum(login) as logins, sum(view) as views, max(id) as last,
      max(day) filter (where login) as login_day, max(day) filter (where view) as view_day
    from fresh where not click group by person)
  where true
  on conflict do update set
    logins         = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    last_seen_at   = excluded.last_seen_at,
    last_login_day = max(ifnull(last_login_day, excluded.last_login_day),
      ifnull(excluded.last_login_day, last_login_day)),
    last_view_day  = max(ifnull(last_view_day, excluded.last_view_day),
      ifnull(excluded.last_view_day, last_view_day));

insert into activity (person, join_clicks, first_join_at, last_join_at, last_join_day)
  select person, clicks, (select clicked_at from project_joins where id = first),
    (select clicked_at from project_joins where id = last), join_day from (
    select person, count(*) as clicks, min(id) as first, max(id) as last, max(day) as join_day
    from fresh where click group by person)
  where true
  on conflict do update set
    join_clicks   = join_clicks + excluded.join_clicks,
    first_join_at = ifnull(first_join_at, excluded.first_join_at),
    last_join_at  = excluded.last_join_at,
    last_join_day = max(ifnull(last_join_day, excluded.last_join_day), excluded.last_join_day);

insert into device_totals
  select device_type, os, browser, count(*) from events
  where id between (select min(id) from fresh where not click)
    and (select max(id) from fresh where not click)
  group by device_type, os, browser
  on conflict do update set events = events + excluded.events;

insert into person_events select id >> 14, person, id from fresh where not click order by person, id;

insert or ignore into event_blocks select distinct id >> 14 from fresh where not click;

insert into person_clicks select person, id from fresh where click;

update counted set through = (select max(id) from fresh where click = (log = 'project_joins'))
  where (log = 'project_joins') in (select click from fresh);
