vim9script
# Work in slices of a few milliseconds. Between them Vim handles keys.

const SLICE = 0.003  # seconds

# Does steps until Step(i) returns false, then Done(). The time is looked at each so many steps.
export def Run(Step: func(number): bool, Done: func, often = 20)
  var i = 0
  var Slice: func
  Slice = () => {
    var start = reltime()
    while Step(i)
      ++i
      if i % often == 0 && reltimefloat(reltime(start)) > SLICE
        timer_start(1, (_) => Slice())
        return
      endif
    endwhile
    timer_start(0, (_) => Done())  # in a turn of its own
  }
  timer_start(0, (_) => Slice())  # what has led here may have taken its time
enddef
