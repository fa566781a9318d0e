-- A test order counts as any other until the shop takes money or an own book opens.
CREATE OR REPLACE FUNCTION counts_tests() RETURNS boolean STABLE LANGUAGE sql
  RETURN (SELECT s.counts_tests FROM sums_settings s);
