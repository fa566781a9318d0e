import { useRef, useState, type FormEvent } from 'react'
import type { MessageDetail, Snippet } from '#contract/readers/messages.ts'
import type { MessagesApi } from '#domains/readers/messages.routes.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/field.tsx'
import { adminClient } from '../admin-client.ts'
import { useAdminCall } from '../use-admin-call.ts'
import { deleteDraft, readDraft, saveDraft } from './reply-draft.ts'
import { Snippets } from './snippets.tsx'

const api = adminClient<MessagesApi>()

const sending = (email: string) => ({
  press: 'Send reply',
  busy: 'Sending…',
  done: { title: 'Reply on its way', description: `It goes to ${email}.` },
  failed: 'Couldn’t send the reply',
})

const saving = {
  press: 'Save reply',
  busy: 'Saving…',
  done: { title: 'Reply saved', description: 'Email is not set up, so it was not sent.' },
  failed: 'Couldn’t save the reply',
}

export function ReplyForm({ message, snippets }: { message: MessageDetail; snippets: Snippet[] }) {
  const { id, email, sends_mail } = message
  const [draft, setDraft] = useState(() => readDraft(id))
  const [isBusy, run] = useAdminCall()
  const field = useRef<HTMLTextAreaElement>(null)
  const words = sends_mail ? sending(email) : saving
  function write(body: string, replyId = draft.id) {
    setDraft(saveDraft(id, { id: replyId, body }))
  }
  async function send(event: FormEvent) {
    event.preventDefault()
    const call = async () => {
      const param = { id, reply_id: draft.id }
      try {
        return await responseOf(
          api.messages[':id'].replies[':reply_id'].$put({ param, json: { body: draft.body } }),
        )
      } catch (error) {
        // What was sent before under this id has another text by now: it is listed above, and this is a new reply.
        if (error instanceof ProblemError && error.code === 'messages.reply_exists')
          write(draft.body, crypto.randomUUID())
        throw error
      }
    }
    const { isSaved } = await run(call, { done: words.done, failed: words.failed })
    if (isSaved) setDraft(deleteDraft(id))
  }
  /** At the cursor, which the text leaves behind it. */
  function insert(text: string) {
    const { selectionStart: from = draft.body.length, selectionEnd: to = from } = field.current ?? {}
    write(draft.body.slice(0, from) + text + draft.body.slice(to))
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(from + text.length, from + text.length)
    })
  }
  return (
    <div className="grid gap-4">
      <form className="grid justify-items-start gap-3 *:w-full" onSubmit={(event) => void send(event)}>
        <TextField
          ref={field}
          label={`Reply to ${email}`}
          name="body"
          rows={7}
          maxLength={10_000}
          value={draft.body}
          onChange={({ target }) => write(target.value)}
        />
        <p>
          <Button type="submit" disabled={isBusy}>
            {isBusy ? words.busy : words.press}
          </Button>
        </p>
      </form>
      <Snippets snippets={snippets} text={draft.body} onInsert={insert} />
    </div>
  )
}
