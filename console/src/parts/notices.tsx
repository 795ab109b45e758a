import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const Report = createContext<(text: string) => void>(() => undefined);

/** Returns a function that shows a notice until the user closes it or another one replaces it. Screen readers read the notice aloud. */
export const useNotice = () => useContext(Report);

export function Notices({ children }: { children: ReactNode }) {
  const [text, setText] = useState<string | null>(null);
  const report = useCallback((said: string) => setText(said), []);
  return (
    <Report value={report}>
      {children}
      <div className="notices" role="status">
        {text !== null && (
          <div className="notice">
            <span>{text}</span>
            <button type="button" className="button plain" onClick={() => setText(null)}>
              Close
            </button>
          </div>
        )}
      </div>
    </Report>
  );
}
