-- Today, in the time zone of the shop.
CREATE OR REPLACE FUNCTION shop_day() RETURNS date STABLE LANGUAGE sql AS $$
  SELECT (now() AT TIME ZONE time_zone)::date FROM sums_settings
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION shop_day(moment timestamptz) RETURNS date LANGUAGE sql STABLE
  RETURN (moment AT TIME ZONE (SELECT time_zone FROM sums_settings))::date;
