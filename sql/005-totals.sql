-- What keeps the rows of the logs and the addresses of invites as they are. The totals that 1.1.0 kept
-- here by triggers are counted from the logs since 007.

create trigger invites_email before update of email on invites when new.email <> old.email begin
  select raise(abort, 'an invite is known by its email: delete it and insert another');
end;

create trigger invites_domain before insert on invites when new.email glob '*@*[^ -~]*' begin
  select raise(abort, 'an invite needs the ASCII form of its domain (xn--…)');
end;

create trigger events_update before update on events begin
  select raise(abort, 'an event is never changed, only added or deleted');
end;

create trigger project_joins_update before update on project_joins begin
  select raise(abort, 'a join click is never changed, only added or deleted');
end;
