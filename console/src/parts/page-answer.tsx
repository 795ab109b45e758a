import type { ReactNode } from 'react';
import { PageHead } from './page-head';
import { Answer, type AnswerProps } from './states';

interface PageAnswerProps<T> extends AnswerProps<T> {
  /** Heading until the object is loaded, which then shows its own name. */
  title: string;
  back: ReactNode;
}

/** Shows the heading and the link back while the object of a page loads, and if loading fails. */
export function PageAnswer<T>({ title, back, ...answer }: PageAnswerProps<T>) {
  return (
    <>
      {answer.query.data === undefined && <PageHead title={title} back={back} />}
      <Answer {...answer} />
    </>
  );
}
