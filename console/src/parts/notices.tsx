import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const NoticeContext = createContext<(text: string) => void>(() => undefined);

/** Returns a function that shows a notice until the user closes it or a new notice replaces it. Screen readers read notices aloud. */
export const useNotice = () => useContext(NoticeContext);

export function Notices({ children }: { children: ReactNode }) {
  const [text, setText] = useState<string | null>(null);
  const report = useCallback((notice: string) => setText(notice), []);
  return (
    <NoticeContext value={report}>
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
    </NoticeContext>
  );
}
