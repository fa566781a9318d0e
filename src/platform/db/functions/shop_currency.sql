CREATE OR REPLACE FUNCTION shop_currency() RETURNS text STABLE LANGUAGE sql
  RETURN (SELECT currency FROM sums_settings);
