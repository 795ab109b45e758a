import { countOf } from '../format/values';
import { Choice } from '../parts/field';
import { ProblemOf } from '../parts/states';
import { useListChoices } from './queries';

interface ListChoiceProps {
  label: string;
  /** Empty if none is chosen. */
  listId: string;
  onChoose: (listId: string) => void;
}

/** Lets the user choose one of the newest lists. */
export function ListChoice({ label, listId, onChoose }: ListChoiceProps) {
  const lists = useListChoices();
  return (
    <>
      {lists.data === undefined && <ProblemOf query={lists} />}
      <Choice
        label={label}
        value={listId}
        unset={lists.data?.length === 0 ? 'No contact lists yet' : 'None'}
        onChoose={onChoose}
      >
        {lists.data?.map(({ id, name, contacts }) => (
          <option key={id} value={id}>
            {name} ({countOf(contacts)})
          </option>
        ))}
      </Choice>
    </>
  );
}
