import { useState, type SyntheticEvent } from 'react';
import { Field } from './field';

interface FindProps {
  label: string;
  /** Of the form. */
  of: string;
  placeholder: string;
  type?: 'tel' | 'search';
  /** Gets the text without blanks around it; an empty one ends the search. */
  onFind: (text: string) => void;
}

/** Looks for one thing when it is sent. What is typed is kept nowhere else, as an address would. */
export function Find({ label, of, placeholder, type = 'search', onFind }: FindProps) {
  const [text, setText] = useState('');
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    onFind(text.trim());
  }
  return (
    <form className="filters" role="search" aria-label={of} onSubmit={submit}>
      <Field label={label}>
        {(ties) => (
          <input
            {...ties}
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
