-- A search for customers by words reads their indexes alone: each has the key.
DROP INDEX customer_searched;
DROP INDEX customer_last_word;
DROP INDEX customer_first_back;
DROP INDEX customer_last_back;
CREATE INDEX customer_searched ON customer (searched, key);
CREATE INDEX customer_last_word ON customer (last_word, key);
CREATE INDEX customer_first_back ON customer (first_back, key);
CREATE INDEX customer_last_back ON customer (last_back, key);
