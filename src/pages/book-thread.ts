// The thread that does what a long book needs.
import { serveTasks } from '#platform/serve-tasks.ts'
import { performTask } from './book-tasks.ts'

serveTasks(performTask)
