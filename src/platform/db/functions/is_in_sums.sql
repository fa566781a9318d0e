CREATE OR REPLACE FUNCTION is_in_sums(bought purchases) RETURNS boolean STABLE LANGUAGE sql
  RETURN (SELECT (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency)
    FROM sums_settings s);
