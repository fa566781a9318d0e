import { useBook } from '../../book.ts'
import { Prose } from '../../prose.tsx'
import { Container } from '../../components/container.tsx'

export function Invitation() {
  const { invitation, author } = useBook()
  return (
    <section
      id="invitation"
      tabIndex={-1}
      aria-labelledby="invitation-title"
      className="night night-glow py-24 sm:py-32"
    >
      <Container className="text-center">
        <h2 id="invitation-title" className="font-display text-3xl text-gold">
          {invitation.title}
        </h2>
        <div className="mx-auto mt-8 max-w-[44rem] space-y-6 font-display text-2xl leading-normal text-pretty">
          <Prose blocks={invitation.blocks} />
        </div>
        <p className="mt-9 text-soft">{author.name}</p>
      </Container>
    </section>
  )
}
