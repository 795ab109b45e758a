import type { ReactNode } from 'react';
import { PageHead } from './page-head';
import { Answer, type AnswerProps } from './states';

interface PageAnswerProps<T> extends AnswerProps<T> {
  /** Heading while the object loads. The object's own name replaces it. */
  title: string;
  back: ReactNode;
}

/** Shows a heading and the back link while a page's object loads, and if loading fails. */
export function PageAnswer<T>({ title, back, ...answer }: PageAnswerProps<T>) {
  return (
    <>
      {answer.query.data === undefined && <PageHead title={title} back={back} />}
      <Answer {...answer} />
    </>
  );
}
