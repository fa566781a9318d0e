// The card beside the settings of shipping: the Commission's picture of the notice on the legal guarantee, in the
// page's language.
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { noticePage, noticeUrl } from '#contract/orders/eu-paper.ts'
import type { NoticeState } from '#contract/settings/settings.ts'
import type { SettingsApi } from '#domains/settings/settings.routes.ts'
import { responseOf } from '../../../api.ts'
import { failure } from '../../../notices/send.ts'
import { toast } from '../../../notices/toasts.tsx'
import { Card } from '../../card.tsx'
import { FileDrop } from '../../file-drop.tsx'
import { useSendFile } from '../../send-file.ts'
import { adminClient, CallButton, load } from '../calls.tsx'

const api = adminClient<SettingsApi>()
const noticeApi = api.settings.shipping.notice

export const loadNotice = () => load('Failed to fetch the notice', () => responseOf(noticeApi.$get()))

const names = new Intl.DisplayNames('en', { type: 'language' })

export function GuaranteeNotice({ state: { language, notice } }: { state: NoticeState }) {
  const name = names.of(language) ?? language
  const { sending, send, cancel } = useSendFile()
  const { revalidate } = useRevalidator()
  const [fault, setFault] = useState('')

  async function upload(file: File) {
    setFault('')
    try {
      const upload_id = await send(file)
      if (!upload_id) return
      await responseOf(noticeApi.$put({ json: { language, upload_id } }))
      toast({ title: 'Notice saved', description: 'Your pages show it from now on.' })
      await revalidate()
    } catch (error) {
      setFault(failure('Couldn’t upload', error).description ?? '')
    }
  }

  return (
    <Card title="Notice on the legal guarantee">
      <div className="grid gap-6 px-5 py-5">
        <p className="max-w-prose text-pretty text-soft">
          Since 27 September 2026, whoever sells goods to consumers in the European Union shows them this
          notice, as the Commission has drawn it: unchanged and in color. Your page needs the file in {name}:
          take it from{' '}
          <a
            href={noticePage}
            target="_blank"
            rel="noreferrer"
            className="rounded-sm text-ink underline underline-offset-4"
          >
            the Commission’s page
          </a>
          , and bring it here. It stands where a book on paper is bought, once your own book takes money and
          is sent there.
        </p>
        <div className="flex flex-wrap items-center gap-5">
          {notice && (
            <img
              src={noticeUrl(notice)}
              alt={`The notice in ${name}`}
              width={notice.width}
              height={notice.height}
              className="mx-auto h-56 w-auto bg-white object-contain shadow-md"
            />
          )}
          <div className="min-w-0 flex-1 basis-60">
            <FileDrop
              name="notice"
              label={notice ? `Another file of the notice in ${name}` : `The notice in ${name}`}
              hint="Drop it here, or choose it: SVG, PNG or JPEG"
              accept=".svg,.png,.jpg,.jpeg"
              file={undefined}
              onFile={(file) => void upload(file)}
              sending={sending}
              onCancel={cancel}
            />
          </div>
        </div>
        {fault && (
          <p role="alert" className="text-sm text-danger">
            {fault}
          </p>
        )}
        {notice && (
          <p>
            <CallButton
              label="Remove the notice"
              call={() => responseOf(noticeApi.$delete({ json: { language } }))}
              done={{ title: 'Notice removed', description: 'Your pages no longer show it.' }}
              failed="Couldn’t remove the notice"
              question={{ title: 'Remove the notice?', action: 'Remove', isDanger: true }}
            >
              Your pages then lack what the law asks for, until you bring another file.
            </CallButton>
          </p>
        )}
      </div>
    </Card>
  )
}
