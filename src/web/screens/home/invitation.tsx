// A word from the author, in the page's one band of night.
import { book } from '#content/book.ts'
import { invitation } from '#content/home.ts'
import { Container } from '../../ui/container.tsx'
import { Arches } from './arches.tsx'

export function Invitation() {
  return (
    <section
      id="invitation"
      tabIndex={-1}
      aria-labelledby="invitation-title"
      className="night relative isolate overflow-clip py-24 sm:py-32"
    >
      <Arches className="absolute bottom-0 left-1/2 -z-10 w-[72rem] max-w-none -translate-x-1/2 opacity-25" />
      <Container className="text-center">
        <h2 id="invitation-title" className="font-display text-3xl text-gold">
          {invitation.title}
        </h2>
        <div className="mx-auto mt-8 max-w-[44rem] space-y-6 font-display text-2xl leading-normal text-pretty">
          {invitation.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <p className="mt-9 text-soft">{book.author.name}</p>
      </Container>
    </section>
  )
}
