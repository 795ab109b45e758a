import type { ReactNode } from 'react';
import { PageHead } from './page-head';
import { Answer, type AnswerProps } from './states';

interface PageAnswerProps<T> extends AnswerProps<T> {
  /** Until the thing is read, whose own name stands there then. */
  title: string;
  back: ReactNode;
}

/** Of a page about one thing: it has its heading and the way back also while that is read, and where it cannot be. */
export function PageAnswer<T>({ title, back, ...answer }: PageAnswerProps<T>) {
  return (
    <>
      {answer.query.data === undefined && <PageHead title={title} back={back} />}
      <Answer {...answer} />
    </>
  );
}
