-- Every page that a guest loads says whether she has joined.

create index joins_by_email on project_joins (email);
