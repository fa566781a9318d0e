// The fields of a new edition: its file, and what has changed.
import { useState } from 'react'
import type { AdminProduct, EditionComparison, FileFormat } from '#contract/catalog/products.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { toast } from '../../../notices/toasts.tsx'
import { formatCalendarDay, formatCount, formatFileSize } from '../../../format/format.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { failure } from '../../../notices/send.ts'
import { Field, TextField } from '../../../components/field.tsx'
import { ebookFile, FileDrop } from '../../file-drop.tsx'
import { notifyFindings, useUpload } from '../../use-upload.ts'
import { adminClient } from '../calls.tsx'
import { TextLink } from '../links.tsx'

const api = adminClient<AdminProductsApi>()

/** Null once it is out. A bundle with a part that is not out yet gives its own file at once. */
export const releaseDayOf = ({ is_released, release_on }: AdminProduct) => (is_released ? null : release_on)

export const deliveredWhen = (day: string | null) =>
  day === null ? 'from now on' : `on ${formatCalendarDay(day)}`

/** Its page asks whether its owners are to get an email. */
const newEditionOf = ({ id }: AdminProduct['editions'][number], day: string | null) => ({
  title: 'New edition',
  description: `Everybody who owns the book gets it ${deliveredWhen(day)}.`,
  link: { label: 'Tell its owners', to: `/admin/products/editions/${id}` },
  stays: true,
})

function fileAdded(before: AdminProduct, after: AdminProduct) {
  const day = releaseDayOf(after)
  const isNowForSale = day === null && after.is_for_sale && !before.is_for_sale
  const description = isNowForSale
    ? 'It is for sale from now on.'
    : `Its buyers get it ${deliveredWhen(day)}.`
  return { title: 'File added', description }
}

type Question = {
  comparison: EditionComparison
  /** Those of the files that the product has already. */
  formats: FileFormat[]
  /** Null where it is out. */
  day: string | null
  answer: (isYes: boolean) => void
  compareAgain: () => Promise<void>
}

const formatsOf = ({ editions }: AdminProduct) => [...new Set(editions.map(({ file_format }) => file_format))]

export function useNewEdition(product: AdminProduct) {
  const { file, isBusy, upload, markChanged, markSaved, drop } = useUpload()
  const [title, setTitle] = useState('')
  const [changes, setChanges] = useState('')
  const [question, setQuestion] = useState<Question>()
  const formats = formatsOf(product)

  async function add(onAdded: () => unknown): Promise<void> {
    if (!file) return
    await upload(file, async (upload_id) => {
      const param = { id: product.id }
      // Another tab may have added a file meanwhile, which this one would replace.
      const current = await responseOf(api.products[':id'].$get({ param }))
      if (current.editions.length > 0 && !(await isConfirmed(current, upload_id))) return false
      const json = { upload_id, changes, ...(title.trim() && { title }) }
      const answer = api.products[':id'].editions.$post({ param, json })
      const changed = await responseOf(answer)
      const [added] = changed.editions
      const isNewEdition = added && formatsOf(current).includes(added.file_format)
      toast(isNewEdition ? newEditionOf(added, releaseDayOf(changed)) : fileAdded(current, changed))
      notifyFindings(added?.findings)
      setTitle('')
      setChanges('')
      markSaved()
      await onAdded()
      return true
    })
  }
  /** It reaches its owners at once, so its author looks at it first. */
  async function isConfirmed(extended: AdminProduct, upload_id: string): Promise<boolean> {
    const param = { id: extended.id }
    const compare = () => responseOf(api.products[':id'].editions.check.$post({ param, json: { upload_id } }))
    const comparison = await compare()
    return new Promise((resolve) => {
      const answer = (isYes: boolean) => {
        setQuestion(undefined)
        resolve(isYes)
      }
      const compareAgain = async () => {
        const next = await compare()
        setQuestion((shown) => shown && { ...shown, comparison: next })
      }
      setQuestion({
        comparison,
        formats: formatsOf(extended),
        day: releaseDayOf(extended),
        answer,
        compareAgain,
      })
    })
  }
  function changeTitle(changed: string) {
    setTitle(changed)
    markChanged()
  }
  function changeChanges(changed: string) {
    setChanges(changed)
    markChanged()
  }
  const isBundle = product.format === 'bundle'
  /** By its name; the question goes by its content. */
  const isNewFormat = file ? !formats.some((each) => file.name.toLowerCase().endsWith(`.${each}`)) : false
  const words = { title, changeTitle, changes, changeChanges }
  const state = { isChosen: file !== undefined, isNewFormat, isBusy, isUploading: isBusy && !question }
  return { question, isBundle, hasFile: formats.length > 0, ...state, drop, ...words, add }
}

export function EditionFields({ edition }: { edition: ReturnType<typeof useNewEdition> }) {
  const { question, isBundle, hasFile, isBusy, drop, title, changeTitle, changes, changeChanges } = edition
  return (
    <>
      {isBundle && (
        <Field
          label="Title of the file"
          hint="A bundle gives the files of its parts, and on top of them its own: its bonus, say. Without a title it is named after the file that it replaces, or else after the bundle."
          required={false}
          maxLength={200}
          disabled={isBusy}
          value={title}
          onChange={({ target }) => changeTitle(target.value)}
        />
      )}
      {hasFile && (
        <TextField
          label="What changed (optional)"
          hint="Its owners read it beside the edition, and in the email if you tell them."
          required={false}
          rows={3}
          maxLength={1000}
          disabled={isBusy}
          value={changes}
          onChange={({ target }) => changeChanges(target.value)}
        />
      )}
      <FileDrop {...ebookFile} {...drop} />
      {question && <EditionQuestion {...question} />}
    </>
  )
}

const notCompared = {
  file: {
    timed_out:
      'This file could not be read in time, since the machine of the shop is busy or small. So it was not compared with the edition on sale.',
    unreadable: 'No text could be read in this file. So it was not compared with the edition on sale.',
  },
  on_sale: {
    timed_out:
      'The edition on sale could not be read in time, since the machine of the shop is busy or small. So this file was not compared with it.',
    unreadable: 'The edition on sale could not be read. So this file was not compared with it.',
  },
}

function whyNotCompared({ reading, reading_on_sale }: EditionComparison): string | undefined {
  if (reading_on_sale === null) return undefined
  if (reading !== 'read') return notCompared.file[reading]
  return reading_on_sale === 'read' ? undefined : notCompared.on_sale[reading_on_sale]
}

/** The words of the question about a new edition, or about a further format. */
function questionWords(
  { comparison, formats, day }: Pick<Question, 'comparison' | 'formats' | 'day'>,
  isCompared: boolean,
) {
  const { file_format, owners } = comparison
  if (formats.includes(file_format))
    return {
      title: isCompared ? 'Make this the new edition?' : 'Make this the new edition without comparing it?',
      action: isCompared ? 'Make it the new edition' : 'Make it the new edition all the same',
      outcome:
        owners > 0 && day === null
          ? 'Everybody who owns the book gets this file from now on, and keeps the earlier ones.'
          : `Everybody who ${owners > 0 ? 'owns' : 'buys'} the book gets this file ${deliveredWhen(day)}.`,
    }
  const name = file_format.toUpperCase()
  const others = formats.map((each) => each.toUpperCase()).join(' and ')
  return {
    title: isCompared ? `Add the ${name}?` : `Add the ${name} without comparing it?`,
    action: isCompared ? 'Add this format' : 'Add this format all the same',
    outcome: `The ${others} ${formats.length === 1 ? 'stays' : 'stay'}. Everybody who ${owners > 0 ? 'owns' : 'buys'} the book gets this file, too, ${deliveredWhen(day)}.`,
  }
}

function EditionQuestion({ comparison, formats, day, answer, compareAgain }: Question) {
  const { reading, reading_on_sale, title, file_format, file_size, chapters, owners, warnings } = comparison
  const { listed_chapters } = comparison
  const [isComparing, setIsComparing] = useState(false)
  const reason = whyNotCompared(comparison)
  const words = questionWords({ comparison, formats, day }, reason === undefined)
  const isLate = reading === 'timed_out' || reading_on_sale === 'timed_out'
  const unread = reading === 'timed_out' ? 'Not read in time' : 'Could not be read'
  const ofFile = (fact: string) => (reading === 'read' ? fact : unread)
  const facts = [
    ['Title', ofFile(title ?? 'The file names none')],
    ['File', `${file_format.toUpperCase()}, ${formatFileSize(file_size)}`],
    ['Chapters', ofFile(chapters === 0 ? 'The file does not say' : String(chapters))],
    ['Owners', owners === 0 ? 'nobody yet' : String(owners)],
  ]
  async function compare() {
    setIsComparing(true)
    await compareAgain().catch((error: unknown) => toast(failure('Not Compared', error)))
    setIsComparing(false)
  }
  return (
    <Confirm
      title={words.title}
      action={words.action}
      isDanger={reason !== undefined || warnings.length > 0}
      isBusy={isComparing}
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
    >
      {reason && (
        <div className="mb-4">
          <p className="font-semibold text-danger">{reason}</p>
          <p className="mt-1">
            Please make sure that it is the right book: its buyers get it{' '}
            {day === null ? 'at once' : deliveredWhen(day)}.
          </p>
          {isLate && (
            <Button
              look="outline"
              className="mt-3"
              busy={isComparing}
              disabled={isComparing}
              onClick={compare}
            >
              {isComparing ? 'Comparing...' : 'Compare again'}
            </Button>
          )}
        </div>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="mb-3 font-semibold text-danger">
          {warning}
        </p>
      ))}
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-ink">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4">{words.outcome}</p>
      {listed_chapters !== null && (
        <p className="mt-2">
          The page of the book lists {formatCount(listed_chapters)}{' '}
          {listed_chapters === 1 ? 'chapter' : 'chapters'}. You change its list on the Book page, under{' '}
          <TextLink to="/admin/book?part=words" target="_blank" rel="noreferrer">
            Chapters
          </TextLink>
          .
        </p>
      )}
    </Confirm>
  )
}
