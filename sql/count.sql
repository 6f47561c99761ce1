-- A step of counting (lib/store/counting.ts): adds up to @rows rows behind each bookmark to the
-- counts, and moves the bookmarks.

delete from fresh;

insert into fresh select id, email, occurred_at / 86400000, occurred_at,
    event_type = 'login', event_type = 'timeline_view', 0
  from events where id > (select events from bookmark) order by id limit @rows;

insert into fresh select id, email, clicked_at / 86400000, clicked_at, 0, 0, 1
  from project_joins where id > (select project_joins from bookmark) order by id limit @rows;

insert into people (email, logins, timeline_views, join_clicks,
    last_login_at, last_view_at, first_join_at, last_join_at)
  select email, sum(login), sum(view), sum(click), max(at) filter (where login),
    max(at) filter (where view), min(at) filter (where click), max(at) filter (where click)
  from fresh group by email
  on conflict do update set
    logins         = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    join_clicks    = join_clicks + excluded.join_clicks,
    last_login_at  = max(ifnull(last_login_at, excluded.last_login_at),
      ifnull(excluded.last_login_at, last_login_at)),
    last_view_at   = max(ifnull(last_view_at, excluded.last_view_at),
      ifnull(excluded.last_view_at, last_view_at)),
    first_join_at  = min(ifnull(first_join_at, excluded.first_join_at),
      ifnull(excluded.first_join_at, first_join_at)),
    last_join_at   = max(ifnull(last_join_at, excluded.last_join_at),
      ifnull(excluded.last_join_at, last_join_at));

insert into person_days
  select day, people.id, login, view, click, seen from (
    select day, email, sum(login) as login, sum(view) as view, sum(click) as click,
      max(at) filter (where not click) as seen
    from fresh group by day, email) cross join people using (email)
  where true
  on conflict do update set
    logins         = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    join_clicks    = join_clicks + excluded.join_clicks,
    last_seen_at   = max(ifnull(last_seen_at, excluded.last_seen_at),
      ifnull(excluded.last_seen_at, last_seen_at));

insert into days
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

insert into devices
  select device_type, os, browser, count(*) from events
  where id between (select min(id) from fresh where not click)
    and (select max(id) from fresh where not click)
  group by device_type, os, browser
  on conflict do update set events = events + excluded.events;

update bookmark set (events, last_event) = (
    select id, content from event_contents where id = (select max(id) from fresh where not click))
  where exists (select 1 from fresh where not click);

update bookmark set (project_joins, last_join) = (
    select id, content from join_contents where id = (select max(id) from fresh where click))
  where exists (select 1 from fresh where click);
