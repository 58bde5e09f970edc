// The controls that play a recorded list: a button, a slider and the time.

const FRAME = 100; // milliseconds from one step to the next

export class Player {
  #recording;
  #play;
  #slider;
  #clock;
  #timer = 0;

  constructor(recording, element) {
    this.#recording = recording;
    [this.#play, this.#slider, this.#clock] = element.children;
    element.hidden = false;
    this.#slider.max = recording.length;
    this.#slider.value = 0;
    this.#play.addEventListener("click", () => (this.#timer ? this.stop() : this.play()));
    this.#slider.addEventListener("input", () => { this.stop(); this.#show(); });
    this.#show();
    this.stop();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
  }

  play() {
    if (Number(this.#slider.value) >= this.#recording.length) this.#slider.value = 0;
    this.#play.textContent = "Pause";
    let before = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#slider.value = Number(this.#slider.value) + now - before;
      before = now;
      this.#show();
      if (Number(this.#slider.value) >= this.#recording.length) this.stop();
    }, FRAME);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#play.textContent = "Play";
  }

  #show() {
    const at = Number(this.#slider.value), second = (time) => (time / 1000).toFixed(1);
    this.#recording.seek(at);
    this.#clock.textContent = `${second(at)} of ${second(this.#recording.length)} s`;
    this.#slider.setAttribute("aria-valuetext", this.#clock.textContent);
  }
}
