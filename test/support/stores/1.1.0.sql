-- A store that 1.1.0 made and filled, dumped by sqlite3.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE invites (
  email      text primary key,
  first_name text,
  invited_by text not null,
  invited_at integer not null, is_admin integer not null default 0 check (is_admin in (0, 1)),
  check (email = lower(trim(email)) and email like '%_@_%._%' and length(email) <= 254),
  check (first_name is null or length(first_name) between 1 and 100)
) strict;
INSERT INTO invites VALUES('ada@example.com','Ada','cli',1795354885064,1);
INSERT INTO invites VALUES('grace@example.com','Zoë','cli',1795354885175,0);
INSERT INTO invites VALUES('eva@xn--bcher-kva.example',NULL,'cli',1795354885271,0);
INSERT INTO invites VALUES('alan@example.com','Alan','ada@example.com',1795354887098,0);
CREATE TABLE sessions (
  id          text primary key,
  email       text not null,
  secret_hash blob not null,
  created_at  integer not null,
  expires_at  integer not null,
  check (email = lower(trim(email))),
  check (length(secret_hash) = 32)
) strict;
INSERT INTO sessions VALUES('j5uu-d6z7Pehs5X7-0mkmw','ada@example.com',X'3791162923373df05434569773f23eeb5b10b81f72e01f073c313693a4dd03fb',1795354887034,1797946887034);
INSERT INTO sessions VALUES('gfuJO9vYKBWvnX28PAY5jw','gone@example.com',X'e2a252b66741c3611213d40fa258af46b1adc18fcb1ca425fd63a0222f41a9a3',1795354887113,1797946887113);
CREATE TABLE project_joins (
  id         integer primary key autoincrement,
  email      text not null,
  session_id text not null,
  clicked_at integer not null,
  check (email = lower(trim(email)))
) strict;
INSERT INTO project_joins VALUES(1,'ada@example.com','j5uu-d6z7Pehs5X7-0mkmw',1795354887072);
INSERT INTO project_joins VALUES(2,'ada@example.com','j5uu-d6z7Pehs5X7-0mkmw',1795354887084);
INSERT INTO project_joins VALUES(3,'gone@example.com','gfuJO9vYKBWvnX28PAY5jw',1795354887141);
CREATE TABLE events (
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
INSERT INTO events VALUES(1,'login','ada@example.com',1795354887034,'j5uu-d6z7Pehs5X7-0mkmw','unknown','','',NULL);
INSERT INTO events VALUES(2,'timeline_view','ada@example.com',1795354887059,'j5uu-d6z7Pehs5X7-0mkmw','unknown','','','{"view":"desktop","forced":false}');
INSERT INTO events VALUES(3,'login','gone@example.com',1795354887113,'gfuJO9vYKBWvnX28PAY5jw','mobile','iOS','Mobile Safari',NULL);
INSERT INTO events VALUES(4,'timeline_view','gone@example.com',1795354887129,'gfuJO9vYKBWvnX28PAY5jw','unknown','','','{"view":"desktop","forced":false}');
CREATE TABLE people (
  id             integer primary key,
  email          text not null unique,
  first_name     text,
  is_admin       integer not null default 0 check (is_admin in (0, 1)),
  invited_by     text,
  invited_at     integer,
  logins         integer not null default 0 check (logins >= 0),
  timeline_views integer not null default 0 check (timeline_views >= 0),
  join_clicks    integer not null default 0 check (join_clicks >= 0),
  last_seen_at   integer, -- of the newest event
  first_join_at  integer,
  last_join_at   integer,
  folded         text, -- the first name without case and accents; null until folded
  invited        integer as (invited_at is not null),
  status         integer as ( -- 0 not yet come, 1 logged in, 2 viewed, 3 joined
    case when join_clicks > 0 then 3 when timeline_views > 0 then 2 else logins > 0 end)
) strict;
INSERT INTO people VALUES(1,'ada@example.com','Ada',1,'cli',1795354885064,1,1,2,1795354887059,1795354887072,1795354887084,'ada');
INSERT INTO people VALUES(2,'grace@example.com','Zoë',0,'cli',1795354885175,0,0,0,NULL,NULL,NULL,'zoe');
INSERT INTO people VALUES(3,'eva@xn--bcher-kva.example',NULL,0,'cli',1795354885271,0,0,0,NULL,NULL,NULL,replace('\neva@bucher.example','\n',char(10)));
INSERT INTO people VALUES(4,'gone@example.com',NULL,0,NULL,NULL,1,1,1,1795354887129,1795354887141,1795354887141,NULL);
INSERT INTO people VALUES(5,'alan@example.com','Alan',0,'ada@example.com',1795354887098,0,0,0,NULL,NULL,NULL,'alan');
CREATE TABLE day_totals (
  day            integer primary key,
  logins         integer not null default 0 check (logins >= 0),
  timeline_views integer not null default 0 check (timeline_views >= 0),
  join_clicks    integer not null default 0 check (join_clicks >= 0),
  first_event    integer,
  last_event     integer,
  first_join     integer,
  last_join      integer
) strict;
INSERT INTO day_totals VALUES(20779,2,2,3,1,4,1,3);
CREATE TABLE device_totals (
  device_type text not null,
  os          text not null,
  browser     text not null,
  events      integer not null check (events >= 0),
  primary key (device_type, os, browser)
) strict, without rowid;
INSERT INTO device_totals VALUES('mobile','iOS','Mobile Safari',1);
INSERT INTO device_totals VALUES('unknown','','',3);
CREATE TABLE totals (
  id        integer primary key check (id = 1),
  invites   integer not null default 0 check (invites >= 0),
  admins    integer not null default 0 check (admins >= 0),
  logged_in integer not null default 0 check (logged_in >= 0),
  viewed    integer not null default 0 check (viewed >= 0),
  joined    integer not null default 0 check (joined >= 0),
  joiners   integer not null default 0 check (joiners >= 0)
) strict;
INSERT INTO totals VALUES(1,4,1,1,1,1,2);
CREATE TABLE changes (
  id     integer primary key autoincrement,
  at     integer not null,
  author text not null, -- the administrator's address, or the user of the system
  via    text not null check (via in ('page', 'cli')),
  what   text not null,
  email  text,
  detail text
) strict;
INSERT INTO changes VALUES(1,1795354885065,'operator','cli','invited','ada@example.com',NULL);
INSERT INTO changes VALUES(2,1795354885176,'operator','cli','invited','grace@example.com',NULL);
INSERT INTO changes VALUES(3,1795354885272,'operator','cli','invited','eva@xn--bcher-kva.example',NULL);
INSERT INTO changes VALUES(4,1795354885369,'operator','cli','made_admin','ada@example.com',NULL);
INSERT INTO changes VALUES(5,1795354885474,'operator','cli','invited','gone@example.com',NULL);
INSERT INTO changes VALUES(6,1795354887099,'ada@example.com','page','invited','alan@example.com',NULL);
INSERT INTO changes VALUES(7,1795354887256,'operator','cli','removed','gone@example.com',NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('changes',7);
INSERT INTO sqlite_sequence VALUES('events',4);
INSERT INTO sqlite_sequence VALUES('project_joins',3);
CREATE INDEX invites_by_time on invites (invited_at, email);
CREATE INDEX sessions_by_email on sessions (email);
CREATE INDEX sessions_by_expiry on sessions (expires_at);
CREATE INDEX project_joins_by_email on project_joins (email);
CREATE INDEX invites_admins on invites (email) where is_admin = 1;
CREATE INDEX events_by_person on events (email, event_type);
CREATE INDEX events_by_type on events (event_type);
CREATE INDEX people_by_last_join on people (last_join_at, email, first_join_at) where join_clicks > 0;
CREATE TRIGGER invites_insert after insert on invites begin
  update totals set
    invites = invites + not exists (select 1 from people where email = new.email and invited),
    admins = admins + new.is_admin
      - ifnull((select is_admin from people where email = new.email), 0);
  insert into people (email, first_name, is_admin, invited_by, invited_at)
    values (new.email, new.first_name, new.is_admin, new.invited_by, new.invited_at)
    on conflict (email) do update set
      first_name = excluded.first_name,
      is_admin = excluded.is_admin,
      invited_by = excluded.invited_by,
      invited_at = excluded.invited_at,
      folded = null;
end;
CREATE TRIGGER invites_delete after delete on invites begin
  update people
    set first_name = null, is_admin = 0, invited_by = null, invited_at = null, folded = null
    where email = old.email;
  update totals set invites = invites - 1, admins = admins - old.is_admin;
end;
CREATE TRIGGER invites_update
  after update of first_name, is_admin, invited_by, invited_at on invites
begin
  update people set
    first_name = new.first_name,
    is_admin = new.is_admin,
    invited_by = new.invited_by,
    invited_at = new.invited_at,
    folded = iif(new.first_name is old.first_name, folded, null)
    where email = new.email;
  update totals set admins = admins + new.is_admin - old.is_admin;
end;
CREATE TRIGGER invites_email before update of email on invites when new.email <> old.email begin
  select raise(abort, 'an invite is known by its email: delete it and insert another');
end;
CREATE TRIGGER invites_domain before insert on invites when new.email glob '*@*[^ -~]*' begin
  select raise(abort, 'an invite needs the ASCII form of its domain (xn--…)');
end
;
CREATE TRIGGER events_login after insert on events when new.event_type = 'login' begin
  insert into people (email, logins, last_seen_at) values (new.email, 1, new.occurred_at)
    on conflict (email) do update set logins = logins + 1, last_seen_at = excluded.last_seen_at;
  insert into day_totals (day, logins, first_event, last_event)
    values (new.occurred_at / 86400000, 1, new.id, new.id)
    on conflict (day) do update set
      logins = logins + 1,
      first_event = min(ifnull(first_event, new.id), new.id),
      last_event = max(ifnull(last_event, new.id), new.id);
  insert into device_totals values (new.device_type, new.os, new.browser, 1)
    on conflict do update set events = events + 1;
end;
CREATE TRIGGER events_view after insert on events when new.event_type = 'timeline_view' begin
  insert into people (email, timeline_views, last_seen_at) values (new.email, 1, new.occurred_at)
    on conflict (email) do update
    set timeline_views = timeline_views + 1, last_seen_at = excluded.last_seen_at;
  insert into day_totals (day, timeline_views, first_event, last_event)
    values (new.occurred_at / 86400000, 1, new.id, new.id)
    on conflict (day) do update set
      timeline_views = timeline_views + 1,
      first_event = min(ifnull(first_event, new.id), new.id),
      last_event = max(ifnull(last_event, new.id), new.id);
  insert into device_totals values (new.device_type, new.os, new.browser, 1)
    on conflict do update set events = events + 1;
end;
CREATE TRIGGER events_delete after delete on events begin
  update people set
    logins = logins - (old.event_type = 'login'),
    timeline_views = timeline_views - (old.event_type = 'timeline_view'),
    last_seen_at = (
      select occurred_at from events where id = max(
        ifnull((select max(id) from events where email = old.email and event_type = 'login'), 0),
        ifnull((select max(id) from events where email = old.email and event_type = 'timeline_view'), 0)
      )
    )
    where email = old.email;
  update day_totals set
    logins = logins - (old.event_type = 'login'),
    timeline_views = timeline_views - (old.event_type = 'timeline_view')
    where day = old.occurred_at / 86400000;
  update device_totals set events = events - 1
    where device_type = old.device_type and os = old.os and browser = old.browser;
  delete from device_totals
    where device_type = old.device_type and os = old.os and browser = old.browser and events = 0;
end;
CREATE TRIGGER events_update before update on events begin
  select raise(abort, 'an event is never changed, only added or deleted');
end;
CREATE TRIGGER project_joins_insert after insert on project_joins begin
  insert into people (email, join_clicks, first_join_at, last_join_at)
    values (new.email, 1, new.clicked_at, new.clicked_at)
    on conflict (email) do update set
      join_clicks = join_clicks + 1,
      first_join_at = ifnull(first_join_at, excluded.first_join_at),
      last_join_at = excluded.last_join_at;
  insert into day_totals (day, join_clicks, first_join, last_join)
    values (new.clicked_at / 86400000, 1, new.id, new.id)
    on conflict (day) do update set
      join_clicks = join_clicks + 1,
      first_join = min(ifnull(first_join, new.id), new.id),
      last_join = max(ifnull(last_join, new.id), new.id);
end;
CREATE TRIGGER project_joins_delete after delete on project_joins begin
  update people set
    join_clicks = join_clicks - 1,
    first_join_at = (select clicked_at from project_joins where email = old.email order by id limit 1),
    last_join_at = (select clicked_at from project_joins where email = old.email order by id desc limit 1)
    where email = old.email;
  update day_totals set join_clicks = join_clicks - 1 where day = old.clicked_at / 86400000;
end;
CREATE TRIGGER project_joins_update before update on project_joins begin
  select raise(abort, 'a join click is never changed, only added or deleted');
end;
CREATE TRIGGER people_insert after insert on people begin
  update totals set
    logged_in = logged_in + (new.invited and new.logins > 0),
    viewed    = viewed    + (new.invited and new.timeline_views > 0),
    joined    = joined    + (new.invited and new.join_clicks > 0),
    joiners   = joiners   + (new.join_clicks > 0);
end;
CREATE TRIGGER people_update after update on people when
  new.invited <> old.invited
  or (new.logins > 0) <> (old.logins > 0)
  or (new.timeline_views > 0) <> (old.timeline_views > 0)
  or (new.join_clicks > 0) <> (old.join_clicks > 0)
begin
  update totals set
    logged_in = logged_in + (new.invited and new.logins > 0) - (old.invited and old.logins > 0),
    viewed    = viewed    + (new.invited and new.timeline_views > 0) - (old.invited and old.timeline_views > 0),
    joined    = joined    + (new.invited and new.join_clicks > 0) - (old.invited and old.join_clicks > 0),
    joiners   = joiners   + (new.join_clicks > 0) - (old.join_clicks > 0);
  delete from people where id = new.id
    and not invited and logins = 0 and timeline_views = 0 and join_clicks = 0;
end;
CREATE INDEX changes_by_email on changes (email);
CREATE INDEX changes_by_author on changes (author);
CREATE TRIGGER changes_update before update on changes
when (new.id, new.at, new.via, new.what, new.detail) is not (old.id, old.at, old.via, old.what, old.detail)
  or new.email is not old.email and (old.email is null or new.email is not 'erased')
  or new.author not in (old.author, 'erased')
begin
  select raise(abort, 'a change is never rewritten, only erased');
end;
CREATE TRIGGER changes_insert before insert on changes when new.id in (select id from changes) begin
  select raise(abort, 'a change is never replaced');
end;
CREATE TRIGGER changes_delete before delete on changes begin
  select raise(abort, 'a change is never deleted');
end;
COMMIT;
pragma user_version = 6;
pragma application_id = 1198876019;
