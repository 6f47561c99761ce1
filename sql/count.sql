-- A step of counting (lib/store/counting.ts): adds up to @rows rows behind each bookmark to the
-- counts, and moves the bookmarks. A day is rounded down, also before 1970.

delete from fresh;

insert into fresh
  select id, null, email, occurred_at, occurred_at / 86400000 - (occurred_at % 86400000 < 0),
    event_type = 'login', event_type = 'timeline_view', 0
  from events where id > (select events from bookmark) order by id limit @rows;

insert into fresh
  select null, id, email, clicked_at, clicked_at / 86400000 - (clicked_at % 86400000 < 0), 0, 0, 1
  from project_joins where id > (select project_joins from bookmark) order by id limit @rows;

replace into people (id, email, logins, timeline_views, join_clicks, last_login_at, last_view_at,
    first_join_at, last_join_at)
  select max(id), email, sum(logins), sum(timeline_views), sum(join_clicks), max(login_at),
    max(view_at), min(first_join_at), max(join_at)
  from (
    select null as id, email, logins, timeline_views, join_clicks, iif(logins, at, null) as login_at,
      iif(timeline_views, at, null) as view_at, iif(join_clicks, at, null) as first_join_at,
      iif(join_clicks, at, null) as join_at from fresh
    union all
    select id, email, logins, timeline_views, join_clicks, last_login_at, last_view_at,
      first_join_at, last_join_at from people where email in (select email from fresh))
  group by email;

insert into person_days
  select day, id, sum(fresh.logins), sum(fresh.timeline_views), sum(fresh.join_clicks),
    max(iif(fresh.join_clicks, null, at))
  from fresh cross join people using (email) group by day, id
  on conflict do update set
    logins         = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    join_clicks    = join_clicks + excluded.join_clicks,
    last_seen_at   = max(ifnull(last_seen_at, excluded.last_seen_at),
      ifnull(excluded.last_seen_at, last_seen_at));

replace into days
  select day, sum(logins), sum(timeline_views), sum(join_clicks), min(first_event), max(event),
    min(first_join), max(click)
  from (
    select day, logins, timeline_views, join_clicks, event as first_event, event,
      click as first_join, click from fresh
    union all select * from days where day in (select day from fresh))
  group by day;

insert into devices
  select device_type, os, browser, count(*) from events
  where id between (select min(event) from fresh) and (select max(event) from fresh)
  group by device_type, os, browser
  on conflict do update set events = events + excluded.events;

update bookmark set (events, last_event) = (
    select id, content from event_contents where id = (select max(event) from fresh))
  where exists (select 1 from fresh where event is not null);

update bookmark set (project_joins, last_join) = (
    select id, content from join_contents where id = (select max(click) from fresh))
  where exists (select 1 from fresh where click is not null);
