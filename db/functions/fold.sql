-- Normalizes a text so that variants compare equal: letter case, composed and decomposed accents, full and half width,
-- straight and typographic quotes, apostrophes and dashes. Removes invisible characters.
-- Guarantee: returns the same in every database, because it names the collation instead of using the database's locale.
-- Locks: none.
-- Callers: index_contact, words_of, db/contact-lists.
create or replace function fold(p_text text) returns text language sql immutable as $$
  select translate(replace(lower(normalize(p_text, nfkc) collate pg_c_utf8), 'ß', 'ss'),
    -- translate() removes characters that have no counterpart in the second list.
    U&'\03C2\0131\2018\2019\201B\02BB\02BC\02B9\2032\0060\00B4\201C\201D\201E\201F\00AB\00BB\2010\2012\2013\2014\2015\2212'
      || U&'\00AD\034F\200B\200C\200D\200E\200F\202A\202B\202C\202D\202E\2060\2061\2062\2063\2064\FE0E\FE0F\FEFF',
    U&'\03C3i''''''''''''''''''""""""------')
$$;
