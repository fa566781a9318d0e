CREATE OR REPLACE FUNCTION number_edition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.edition := (SELECT coalesce(max(edition), 0) + 1 FROM product_files
		WHERE product_id = NEW.product_id AND file_format = NEW.file_format);
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER number_edition BEFORE INSERT ON product_files
	FOR EACH ROW WHEN (NEW.edition = 0) EXECUTE FUNCTION number_edition();
