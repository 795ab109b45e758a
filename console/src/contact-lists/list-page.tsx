import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ContactList } from '../../../sdk/typescript/generated';
import { useMay } from '../app/session';
import { countOf } from '../format/values';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';
import { PageHead, QueriedPage } from '../parts/page-head';
import { AddToList } from './add-to-list';
import { ListContacts } from './list-contacts';
import { useContactList, useDeleteList } from './queries';

const route = getRouteApi('/contact-lists/$listId');

export function ContactListPage() {
  const { listId } = route.useParams();
  const list = useContactList(listId);
  const mayChange = useMay('operate');
  const back = <Link to="/contact-lists">Contact lists</Link>;
  return (
    <QueriedPage query={list} of="the contact list" title="Contact list" back={back}>
      {(detail) => (
        <>
          <PageHead title={detail.name} back={back}>
            {mayChange && <DeleteList list={detail} />}
          </PageHead>
          {mayChange ? (
            <div className="columns">
              <ListContacts listId={listId} />
              <AddToList listId={listId} />
            </div>
          ) : (
            <ListContacts listId={listId} />
          )}
        </>
      )}
    </QueriedPage>
  );
}

function DeleteList({ list: { id, name, contacts } }: { list: ContactList }) {
  const { mutateAsync } = useDeleteList(id);
  const navigate = useNavigate();
  const report = useNotice();
  const remove = async (): Promise<void> => {
    await mutateAsync();
    report(`${name} was deleted.`);
    void navigate({ to: '/contact-lists' });
  };
  return (
    <Confirm action="Delete list" title={`Delete ${name}?`} isDanger onConfirm={remove}>
      {contacts > 0 &&
        `${contacts === 1 ? 'Its contact' : `Its ${countOf(contacts)} contacts`} will be erased within a day. `}
      Campaigns that have ended keep their contacts. You can’t undo this.
    </Confirm>
  );
}
