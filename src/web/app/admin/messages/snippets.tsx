// Stock answers: put into the reply, changed and deleted here. None is sent by itself.
import { standardAnswers } from '#content/standard-answers.ts'
import { maxSnippets, type Snippet } from '#contract/readers/messages.ts'
import type { MessagesApi } from '#domains/readers/readers.routes.ts'
import { Button } from '../../../components/button.tsx'
import { toast } from '../../../notices/toasts.tsx'
import { useBookFacts } from '../../../shop.ts'
import { adminClient, DialogFormButton, useAdminCall } from '../calls.tsx'

const api = adminClient<MessagesApi>()

/** Their titles are for the author, their texts for readers. */
function suggestionsIn(language: string) {
  const { download, signed, refund } = standardAnswers(language)
  return [
    { title: 'Where is my download', body: download },
    { title: 'Signed copy', body: signed },
    { title: 'Refund', body: refund },
  ]
}

type SnippetsProps = { snippets: Snippet[]; text: string; onInsert: (text: string) => void }

export function Snippets({ snippets, text, onInsert }: SnippetsProps) {
  const { language } = useBookFacts()
  const isFull = snippets.length >= maxSnippets
  return (
    <details className="rounded-md border border-line">
      <summary className="cursor-pointer rounded-md px-4 py-3 text-sm font-semibold">Snippets</summary>
      <div className="grid gap-3 border-t border-line px-4 py-4">
        {snippets.length > 0 ? (
          <ul className="grid gap-2">
            {snippets.map((snippet) => (
              <SnippetRow key={snippet.id} snippet={snippet} onInsert={onInsert} />
            ))}
          </ul>
        ) : (
          <p className="text-sm text-soft">
            Answers that you give again and again. Begin with one of these, and make it yours:
          </p>
        )}
        <p className="flex flex-wrap gap-2">
          {snippets.length === 0 &&
            suggestionsIn(language).map((input) => (
              <EditButton key={input.title} label={input.title} given={input} />
            ))}
          {!isFull && <EditButton label="New snippet" given={{ title: '', body: text }} />}
        </p>
      </div>
    </details>
  )
}

function SnippetRow({ snippet, onInsert }: { snippet: Snippet; onInsert: (text: string) => void }) {
  const { id, title, body } = snippet
  const [isBusy, run] = useAdminCall()
  const failed = 'Couldn’t save the change'
  function restore() {
    void run(() => api.snippets[':id'].$put({ param: { id }, json: { title, body } }), { failed })
  }
  async function remove() {
    const { isSaved } = await run(() => api.snippets[':id'].$delete({ param: { id } }), { failed })
    if (isSaved) toast({ title: 'Snippet Deleted', action: { label: 'Undo', onPress: restore } })
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <div className="min-w-0 grow basis-48">
        <p className="font-semibold break-words">{title}</p>
        <p className="line-clamp-1 text-sm break-words text-soft">{body}</p>
      </div>
      <p className="flex flex-wrap gap-1">
        <Button look="outline" aria-label={`Insert “${title}”`} onClick={() => onInsert(body)}>
          Insert
        </Button>
        <EditButton label="Edit" name={`Edit “${title}”`} id={id} given={snippet} />
        <Button look="quiet" aria-label={`Delete “${title}”`} disabled={isBusy} onClick={() => void remove()}>
          Delete
        </Button>
      </p>
    </li>
  )
}

type EditButtonProps = {
  label: string
  name?: string
  id?: string
  given: Pick<Snippet, 'title' | 'body'>
}

function EditButton({ label, name, id, given }: EditButtonProps) {
  return (
    <DialogFormButton
      button={{ look: id ? 'quiet' : 'outline', children: label, 'aria-label': name }}
      title={id ? 'Edit the snippet' : 'New snippet'}
      action="Save"
      loadSchema={async () => (await import('#contract/readers/messages.ts')).snippetRequest}
      fields={{
        title: { label: 'Title', input: { maxLength: 80 } },
        body: { label: 'Text', rows: 6, input: { maxLength: 5000 } },
      }}
      values={{ title: given.title, body: given.body }}
      call={(json) => api.snippets[':id'].$put({ param: { id: id ?? crypto.randomUUID() }, json })}
      done={{ title: 'Snippet saved' }}
      failed="Couldn’t save the snippet"
    />
  )
}
