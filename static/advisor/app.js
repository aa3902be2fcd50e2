// Small comforts; every page works without them.
(function () {
  // A file dropped on a drop zone goes into its file input.
  document.addEventListener("dragover", function (event) {
    var zone = event.target.closest(".drop");
    if (!zone) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", function (event) {
    var zone = event.target.closest(".drop");
    if (zone && !zone.contains(event.relatedTarget)) zone.classList.remove("over");
  });
  document.addEventListener("drop", function (event) {
    var zone = event.target.closest(".drop");
    if (!zone) return;
    event.preventDefault();
    zone.classList.remove("over");
    var input = zone.querySelector("input[type=file]");
    if (input && event.dataTransfer.files.length) {
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
})();
