export type Tone = 'done' | 'active' | 'open' | 'lost' | 'none';

interface Part {
  tone: Tone;
  value: number;
}

/** Stacked bar. Hidden from screen readers, because the text next to it says the same. */
export function Bar({ parts, whole }: { parts: readonly Part[]; whole: number }) {
  return (
    <div className="bar" aria-hidden="true">
      {parts.map(({ tone, value }) => (
        <span
          key={tone}
          className={tone}
          style={{ width: `${whole === 0 ? 0 : (Math.min(value, whole) / whole) * 100}%` }}
        />
      ))}
    </div>
  );
}
