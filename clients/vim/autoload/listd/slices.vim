vim9script
# Work in slices of a few milliseconds. Between them Vim handles keys.

const SLICE = 0.003  # seconds
# Milliseconds from a message to a turn of its own: Vim runs a timer that is due earlier before it handles keys.
export const TURN = 2

var waiting: list<func> = []  # for a timer each

# Does steps until Step(i) returns false, then Done(). The time is looked at each so many steps.
export def Run(Step: func(number): bool, Done: func, often = 20)
  var i = 0
  var Slice: func
  Slice = () => {
    var start = reltime()
    while Step(i)
      ++i
      if i % often == 0 && reltimefloat(reltime(start)) > SLICE
        Later(1, Slice)
        return
      endif
    endwhile
    Later(0, Done)  # in a turn of its own
  }
  Later(TURN, Slice)  # what has led here may have taken its time
enddef

# Calls Go() after some milliseconds.
export def Later(milliseconds: number, Go: func)
  waiting->add(Go)
  timer_start(milliseconds, (_) => GoOn())
enddef

# Does the next slice that waits. While Vim ends, no timer does.
export def GoOn()
  if !empty(waiting)
    call(waiting->remove(0), [])
  endif
enddef

defcompile
