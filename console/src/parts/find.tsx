import { useState, type SyntheticEvent } from 'react';
import { Field } from './field';

interface FindProps {
  label: string;
  /** Accessible name of the form. */
  of: string;
  placeholder: string;
  type?: 'tel' | 'search';
  /** Called with the trimmed text. Empty text ends the search. */
  onFind: (text: string) => void;
}

/** Search form that searches on submit. The text stays out of the URL, because it can be personal data. */
export function Find({ label, of, placeholder, type = 'search', onFind }: FindProps) {
  const [text, setText] = useState('');
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    onFind(text.trim());
  }
  return (
    <form className="filters" role="search" aria-label={of} onSubmit={submit}>
      <Field label={label}>
        {(inputProps) => (
          <input
            {...inputProps}
            type={type}
            autoComplete="off"
            maxLength={255}
            placeholder={placeholder}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              if (event.target.value === '') onFind('');
            }}
          />
        )}
      </Field>
      <button type="submit" className="button">
        Find
      </button>
    </form>
  );
}
