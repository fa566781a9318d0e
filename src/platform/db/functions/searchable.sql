-- The form in which names are searched: without accents, in small letters, of one width.
CREATE OR REPLACE FUNCTION searchable(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(translate(
    lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')),
    'łđøħıŧ', 'ldohit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
$$;
