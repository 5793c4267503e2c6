-- A code of a ticket begins with the time of its receipt's id, by which the primary key finds it.
DROP INDEX receipt_end;
