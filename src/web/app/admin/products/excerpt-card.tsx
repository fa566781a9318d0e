// The card of the excerpt: a file that visitors get by email for their address, and that no product has.
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { maxExcerptMegabytes, type ExcerptState } from '#contract/catalog/excerpt-file.ts'
import { excerptPath } from '#contract/paths.ts'
import type { AdminExcerptApi } from '#domains/readers/excerpt.routes.ts'
import { responseOf } from '../../../api.ts'
import { save } from '../../../browser-download.ts'
import { ButtonLink } from '../../../components/button.tsx'
import { Callout } from '../../../components/note.tsx'
import { formatCount, formatFileSize, formatMoment } from '../../../format/format.tsx'
import { failure } from '../../../notices/send.ts'
import { toast } from '../../../notices/toasts.tsx'
import { Card } from '../../card.tsx'
import { FileDrop } from '../../file-drop.tsx'
import { useSendFile } from '../../send-file.ts'
import { notifyFindings } from '../../use-upload.ts'
import { adminClient, CallButton, load } from '../calls.tsx'
import { TextLink } from '../links.tsx'

const api = adminClient<AdminExcerptApi>('Remove the excerpt')

export const loadExcerpt = () => load('Failed to fetch the excerpt', () => responseOf(api.excerpt.$get()))

export function ExcerptCard({ state }: { state: ExcerptState }) {
  const { excerpt } = state
  const isShown = excerpt && state.sends_mail && state.is_own_book
  return (
    <Card
      title="Excerpt by email"
      action={
        isShown && (
          <ButtonLink to={excerptPath} look="outline">
            See the page
          </ButtonLink>
        )
      }
    >
      <div className="grid gap-5 px-5 py-5">
        <p className="max-w-prose text-pretty text-soft">
          Visitors get this file by email for their address, at {excerptPath}. Where you offer{' '}
          <TextLink to="/admin/users/letters">letters</TextLink>, a box stands beside it that nobody has to
          tick.
          {!excerpt?.sold_as && <span> It is for sale nowhere, and no buyer has it among the editions.</span>}
        </p>
        <Hindrance {...state} />
        {excerpt && <Facts excerpt={excerpt} requests={state.requests} />}
        <UploadExcerpt hasExcerpt={excerpt !== null} />
        {excerpt && <RemoveExcerpt />}
      </div>
    </Card>
  )
}

function Hindrance({ excerpt, sends_mail, is_own_book }: ExcerptState) {
  if (sends_mail && is_own_book) return null
  const start = excerpt ? 'Visitors do not see it yet:' : 'Visitors would not see it yet:'
  if (sends_mail) return <Callout>{`${start} it is shown once the page is that of your own book.`}</Callout>
  return (
    <Callout>
      <span>{`${start} the shop sends no email. `}</span>
      <TextLink to="/admin/mails/settings">Set up mail</TextLink>
    </Callout>
  )
}

type FactsProps = { excerpt: NonNullable<ExcerptState['excerpt']>; requests: number }

function Facts({ excerpt: { file_name, file_size, created_at, sold_as }, requests }: FactsProps) {
  return (
    <div className="grid gap-3">
      {sold_as && (
        <Callout>
          <strong className="font-semibold">This is the whole file that you sell</strong> as “{sold_as}”.
          Visitors get it free: upload another file, or remove it.
        </Callout>
      )}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <strong className="min-w-0 font-semibold wrap-anywhere">{file_name}</strong>
        <span className="tabular-nums">{formatFileSize(file_size)}</span>
        <CallButton
          label="Download"
          name={`Download ${file_name}`}
          call={async () => save((await responseOf(api.excerpt.link.$post())).url)}
          failed="Couldn’t download"
        />
      </p>
      <p className="text-sm text-soft tabular-nums">
        {`Since ${formatMoment(created_at)}. In the last seven days, ${formatCount(requests)} ${requests === 1 ? 'email' : 'emails'} with a link to it ${requests === 1 ? 'was' : 'were'} asked for; older requests are deleted.`}
      </p>
    </div>
  )
}

function UploadExcerpt({ hasExcerpt }: { hasExcerpt: boolean }) {
  const { sending, send, cancel } = useSendFile()
  const { revalidate } = useRevalidator()
  const [fault, setFault] = useState('')

  async function upload(file: File) {
    setFault('')
    if (file.size > maxExcerptMegabytes * 1024 * 1024)
      return setFault(`This file has ${formatFileSize(file.size)}; the limit is ${maxExcerptMegabytes} MB.`)
    try {
      const upload_id = await send(file)
      if (!upload_id) return
      const { excerpt } = await responseOf(api.excerpt.$put({ json: { upload_id } }))
      toast({ title: 'Excerpt saved', description: 'Links in emails give this file from now on.' })
      notifyFindings(excerpt?.findings)
      await revalidate()
    } catch (error) {
      setFault(failure('Couldn’t upload', error).description ?? '')
    }
  }

  return (
    <div className="grid max-w-xl gap-3">
      <FileDrop
        label={hasExcerpt ? 'Another file of the excerpt' : 'The file of the excerpt'}
        hint={`Drop it here, or choose it: EPUB or PDF, ${maxExcerptMegabytes} MB at most`}
        accept=".epub,.pdf"
        file={undefined}
        onFile={(file) => void upload(file)}
        sending={sending}
        onCancel={cancel}
      />
      {fault && (
        <p role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
    </div>
  )
}

function RemoveExcerpt() {
  return (
    <p>
      <CallButton
        label="Remove the excerpt"
        call={() => responseOf(api.excerpt.$delete())}
        done={{ title: 'Excerpt removed', description: 'Your page no longer offers it.' }}
        failed="Couldn’t remove the excerpt"
        question={{ title: 'Remove the excerpt?', action: 'Remove', isDanger: true }}
      >
        Links in emails then say that it was removed.
      </CallButton>
    </p>
  )
}
