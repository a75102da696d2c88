import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Runs clients over every upstream and prints one line of JSON per cell. */
final class Runner {
    private static final int AT_ONCE = 4;

    /** What a client does in one scenario; the tokens it tells, or null. */
    interface Scenario {
        Place.Tokens play() throws Exception;
    }

    interface Client extends Function<Place, Map<String, Scenario>> {}

    private static void run(String client, String upstream, String name, Scenario scenario) {
        Map<String, Object> cell = new LinkedHashMap<>();
        cell.put("client", client);
        cell.put("upstream", upstream);
        cell.put("scenario", name);
        try {
            Place.Tokens tokens = scenario.play();
            cell.put("isRight", true);
            cell.put("usage", tokens == null ? null : List.of(tokens.input(), tokens.output()));
        } catch (Throwable error) {
            cell.put("isRight", false);
            String said = error.getClass().getSimpleName() + ": " + error.getMessage();
            cell.put("detail", said.substring(0, Math.min(said.length(), 600)));
            if (System.getenv("CLIENT_TRACES") != null) error.printStackTrace();
        }
        System.out.println(Place.JSON.valueToTree(cell));
    }

    /** Ends the program. */
    static void run(Map<String, Client> clients) throws InterruptedException {
        String wanted = System.getenv().getOrDefault("CLIENT_ONLY", "");
        ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
        String url = Place.SETTINGS.get("url").asText();
        String key = Place.SETTINGS.get("key").asText();
        clients.forEach((client, scenarios) -> Place.SETTINGS.get("models").fields().forEachRemaining(model -> {
            String upstream = model.getKey();
            if (!(client + " over " + upstream).contains(wanted)) return;
            Place place = new Place(url, key, model.getValue().asText(), upstream);
            List<String> names = new ArrayList<>(scenarios.apply(place).keySet());
            for (String name : names) {
                Place at = place;
                if (name.equals("embeddings")) {
                    if (!Place.SETTINGS.get("embeddingModels").has(upstream)) continue;
                    at = new Place(url, key, Place.SETTINGS.get("embeddingModels").get(upstream).asText(), upstream);
                }
                Scenario scenario = scenarios.apply(at).get(name);
                pool.submit(() -> run(client, upstream, name, scenario));
            }
        }));
        pool.shutdown();
        pool.awaitTermination(10, TimeUnit.MINUTES);
        System.out.flush();
        // Packages leave threads of their HTTP clients behind.
        System.exit(0);
    }
}
