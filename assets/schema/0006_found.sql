-- Customers are found by the first letters of their first or last word, and, in spite of a slip, by the last letters: words
-- and phones also backward. Orders of a customer are found by index.
ALTER TABLE customer ADD COLUMN last_word TEXT NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN first_back TEXT NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN last_back TEXT NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN phone_back TEXT NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN mail TEXT NOT NULL DEFAULT '';
CREATE INDEX customer_last_word ON customer (last_word);
CREATE INDEX customer_first_back ON customer (first_back);
CREATE INDEX customer_last_back ON customer (last_back);
CREATE INDEX customer_phone_back ON customer (phone_back);
CREATE INDEX customer_mail ON customer (mail);
CREATE INDEX cart_customer ON cart (customer) WHERE customer > '';
CREATE INDEX booking_customer ON booking (customer) WHERE customer > '';
