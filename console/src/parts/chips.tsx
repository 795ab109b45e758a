interface ChipsProps<T extends string> {
  label: string;
  choices: readonly T[];
  chosen: T | undefined;
  wordsOf: (choice: T) => string;
  /** Called with undefined when the user chooses all. */
  onChoose: (choice: T | undefined) => void;
}

export function Chips<T extends string>({ label, choices, chosen, wordsOf, onChoose }: ChipsProps<T>) {
  return (
    <div className="chips" role="group" aria-label={label}>
      <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
        All
      </button>
      {choices.map((choice) => (
        <button key={choice} type="button" aria-pressed={choice === chosen} onClick={() => onChoose(choice)}>
          {wordsOf(choice)}
        </button>
      ))}
    </div>
  );
}
