// The step is stored in the database.
import { useState, useEffect, useRef } from 'react'
import { TriangleAlert } from '../icons.tsx'
import { saveWithoutKey } from '../settings/shared-with-setup.tsx'
import {
  PagePreview,
  StepCard,
  StepButtons,
  type StepProps,
  type Loaded,
  type Run,
  takeFile,
  openShop,
  chooseStep,
  readFirstSteps,
  readSetup,
} from './step-card.tsx'
import { ButtonLink, Spinner } from '../../../components/button.tsx'
import { ProblemError } from '../../../api.ts'
import { saveUnsavedChanges } from '../../../forms/unsaved-changes.ts'
import { toast } from '../../../notices/toasts.tsx'
import { FileDrop } from '../../file-drop.tsx'
import { useUpload } from '../../use-upload.ts'
import { fullTitle } from '#contract/book/book.ts'
import { formatsTexts } from '#words/buying.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { Callout } from '../../../components/note.tsx'
import { formatCalendarDay } from '../../../format/format.tsx'
import { Money } from '../../../format/money.tsx'
import { fieldName, useWarnings, readDraft } from '../book/draft.ts'
import { consequences, useOpeningChecks, VisitorChecks } from './opening-checks.tsx'
import type { SetupStep } from '#contract/setup/setup-steps.ts'
import { LoadFailed } from '../../card.tsx'
import { changedSaleMode } from '../../../page/page-state.ts'
import { loadGroup } from '../settings/settings-form.tsx'
import { HelpLink } from '../admin-nav.tsx'
import { load, useAdminCall } from '../calls.tsx'
import { ActionLink, TextLink } from '../links.tsx'
import { euPaperLacks } from '../eu-paper-lacks.ts'
import { partOf } from '../book/draft-editor.tsx'
import type { Route } from './+types/setup.ts'
import { ConnectionsStep } from './connections-step.tsx'
import { DoneStep } from './done-step.tsx'
import { FormatsStep } from './formats-step.tsx'
import { Progress } from './progress.tsx'
import { WordsStep } from './words-step.tsx'

const bookFile = {
  label: 'Your book',
  hint: 'Drop it here, or choose it: EPUB, PDF, or MOBI',
  accept: '.epub,.pdf,.mobi',
}

/** The server says of a smaller file what it is, and what to do with it. */
const maxOtherBytes = 50 * 1024 ** 2

const wrongKind = {
  title: 'Invalid File Type',
  description:
    'Please choose your book as an EPUB, a PDF, or a MOBI. Most writing programs can export an EPUB.',
  destructive: true,
}

function FileStep({ setup, run, goTo, isBusy }: StepProps) {
  const { drop, upload, markSaved } = useUpload()
  const [isRead, setIsRead] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  async function start(file: File) {
    const isBook = /\.(epub|pdf|mobi)$/i.test(file.name)
    if (!isBook && file.size > maxOtherBytes) return toast(wrongKind)
    drop.onFile(file)
    setRefusal(undefined)
    await upload(file, async (upload_id) => {
      markSaved()
      setIsRead(true)
      await run('Couldn’t read the file', () => takeFile(upload_id).catch(show))
      setIsRead(false)
    })
  }
  function show(error: unknown) {
    if (!(error instanceof ProblemError) || error.status !== 422) throw error
    setRefusal(error.message)
  }
  return (
    <StepCard
      title="Bring your book"
      lead="From an EPUB, the shop reads title, author, description, cover and first chapter; from a PDF, title, author and description. If you have a MOBI alone, you type them yourself. You can change every word before anyone sees it."
    >
      <FileDrop {...bookFile} {...drop} onFile={(file) => void start(file)} />
      {refusal && (
        <p role="alert" className="mt-4 rounded-md border border-danger/50 bg-danger/8 px-4 py-3 text-pretty">
          {refusal}
        </p>
      )}
      <p role="status" className="flex items-center gap-3 text-soft not-empty:mt-4">
        {isRead && (
          <>
            <Spinner /> <span>Reading your book...</span>
          </>
        )}
      </p>
      {setup.file ? (
        <>
          <p className="mt-6 text-pretty">
            Your file is <strong className="break-words">{setup.file.name}</strong>. If you choose another
            one, it replaces what came from this one. What you changed yourself stays.
          </p>
          <StepButtons isBusy={isBusy} onNext={() => goTo('words')} />
        </>
      ) : (
        <SampleWays />
      )}
    </StepCard>
  )
}

/** The shop sells the sample already: what the steps would ask for is done in the views of the admin area. */
function SampleWays() {
  return (
    <section aria-labelledby="sample" className="mt-7 border-t border-line pt-6">
      <h3 id="sample" className="font-semibold">
        No file at hand? Begin with the sample
      </h3>
      <p className="mt-1 max-w-prose text-sm text-pretty text-soft">
        Your shop shows and sells the sample book until you bring your own. See it as visitors do, then change
        its words, products and prices. Today lists what is left to set up, and leads back here.
      </p>
      <p className="mt-4 flex flex-wrap gap-3">
        <ButtonLink to="/" look="outline">
          See the shop
        </ButtonLink>
        <ButtonLink to="/admin/book" look="outline">
          Change its words
        </ButtonLink>
        <ButtonLink to="/admin/products" look="outline">
          Change products and prices
        </ButtonLink>
      </p>
    </section>
  )
}

function OpenStep({ setup, draft, isBusy, run, goTo }: StepProps) {
  const [problems, setProblems] = useState<FieldProblems>()
  const warnings = useWarnings() ?? []
  const checks = useOpeningChecks()
  const lacks = checks.check?.eu_paper_lacks ?? []
  const cost = checks.check ? consequences(checks.check) : undefined
  const { document, revision } = draft
  async function open() {
    const result = await run('Couldn’t open the shop', () => openShop(revision))
    setProblems(result.isSaved ? undefined : result.problems)
  }
  return (
    <StepCard
      title="Open your shop"
      lead="Your words, your products and your file replace the sample. You can change everything later."
    >
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[9rem_1fr] sm:gap-y-3 max-sm:[&_dt:not(:first-child)]:mt-3">
        <dt className="font-semibold">Book</dt>
        <dd className="break-words">
          {fullTitle(document) || 'Untitled'}
          {document.author.name && <span className="text-soft"> by {document.author.name}</span>}
        </dd>
        <dt className="font-semibold">Formats</dt>
        <dd>
          <ul>
            {setup.offers.map(({ format, price, release_on }) => (
              <li key={format}>
                {formatsTexts.names[format]},{' '}
                <span className="tabular-nums">
                  <Money amount={price} />
                </span>
                {release_on !== null && (
                  <span className="text-soft">, pre-order until {formatCalendarDay(release_on)}</span>
                )}
              </li>
            ))}
            {setup.offers.length === 0 && <li className="text-danger">Nothing yet</li>}
          </ul>
        </dd>
      </dl>
      <PagePreview version={revision} />
      <VisitorChecks checks={checks} onChooseFile={() => goTo('file')} />
      {problems && <Unfinished problems={problems} onChange={() => goTo('words')} />}
      {warnings.length + lacks.length > 0 && (
        <section aria-label="Worth a look" className="mt-6 rounded-md border border-gold/60 bg-gold/10 p-4">
          <h3 className="flex items-center gap-2 font-semibold">
            <TriangleAlert aria-hidden className="size-5 text-gold-text" />
            Worth a look
          </h3>
          <ul className="mt-2 grid list-disc gap-1 pl-6 text-sm wrap-anywhere">
            {warnings.map(({ field, says }) => (
              <li key={field + says}>
                {says}{' '}
                <TextLink to={`/admin/book?part=${partOf(field)}`}>
                  Show<span className="sr-only"> in the book’s form: {says}</span>
                </TextLink>
              </li>
            ))}
            {lacks.map((lack) => {
              const { title, text, to, action } = euPaperLacks[lack]
              return (
                <li key={lack}>
                  <span className="font-semibold">{title}</span>
                  {/[?.]$/.test(title) ? ' ' : ': '}
                  {text} <ActionLink action={{ label: action, to }} isFromSetup />
                </li>
              )
            })}
          </ul>
        </section>
      )}
      {cost && (
        <Callout role="note" className="mt-6">
          {cost}
        </Callout>
      )}
      <StepButtons
        isBusy={isBusy || checks.check === undefined}
        onBack={() => goTo('connections')}
        onNext={() => void open()}
        busy={isBusy ? 'Opening...' : 'Checking...'}
        next={cost || checks.check === null ? 'Open all the same' : 'Open the shop'}
      />
    </StepCard>
  )
}

function Unfinished({ problems, onChange }: { problems: FieldProblems; onChange: () => void }) {
  return (
    <section role="alert" className="mt-6 rounded-md border border-danger/50 bg-danger/8 p-4">
      <p className="font-semibold">Some text is still missing.</p>
      <ul className="mt-2 grid list-disc gap-1 pl-6 text-sm">
        {Object.entries(problems).map(([field, says]) => (
          <li key={field}>
            <span className="font-semibold">{fieldName(field)}</span>: {says}
          </li>
        ))}
      </ul>
      <ToPage onPress={onChange} />
    </section>
  )
}

function ToPage({ onPress }: { onPress: () => void }) {
  return (
    <button
      type="button"
      className="mt-3 cursor-pointer rounded-sm text-sm font-semibold underline underline-offset-4"
      onClick={onPress}
    >
      Go to your page
    </button>
  )
}

export function clientLoader() {
  return load('The setup could not be opened', async () => {
    const [setup, draft, firstSteps, payments, shipping] = await Promise.all([
      readSetup(),
      readDraft(),
      readFirstSteps(),
      loadGroup('payments'),
      loadGroup('shipping'),
    ])
    changedSaleMode.set(firstSteps.sale_mode)
    return { setup, draft, firstSteps, payments, shipping }
  })
}

export function clientAction({ request }: Route.ClientActionArgs) {
  return saveWithoutKey(request)
}

export default function SetupView({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <LoadFailed card="Set up your shop" title="The setup could not be opened" />
  return <Steps {...loaderData} choiceResult={actionData} />
}

const views: Record<SetupStep, typeof FileStep> = {
  file: FileStep,
  words: WordsStep,
  formats: FormatsStep,
  connections: ConnectionsStep,
  open: OpenStep,
  done: DoneStep,
}

function Steps(loaded: Loaded) {
  const { step } = loaded.setup
  const [isBusy, call] = useAdminCall()
  const run: Run = (failed, work) => call(work, { failed })
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    place.current?.focus()
    scrollTo({ top: 0 })
  }, [step])
  const goTo = (to: Exclude<SetupStep, 'done'>) => void run('Couldn’t save', () => chooseStep(to))
  /** What was typed in the step that is left is saved first; where that failed, the step says so and stays. */
  async function choose(to: Exclude<SetupStep, 'done'>) {
    if (await saveUnsavedChanges()) goTo(to)
  }
  const View = views[step]
  return (
    <div className={`mx-auto grid gap-6 ${step === 'words' ? '' : 'max-w-3xl'}`}>
      {step !== 'done' && <Progress loaded={loaded} step={step} onChoose={(to) => void choose(to)} />}
      <div ref={place} tabIndex={-1} className="outline-none">
        <View key={step} {...loaded} isBusy={isBusy} run={run} goTo={goTo} />
        <HelpLink />
      </div>
    </div>
  )
}
