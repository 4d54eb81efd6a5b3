// Plays as the courses' clients do: what one read brings is one message. Ends when the connection does.

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

int fd;
std::mt19937 chance;

std::vector<int> read_numbers() {
    char packet[4096];
    ssize_t length = recv(fd, packet, sizeof packet, 0);
    if (length <= 0) std::exit(0);
    std::istringstream words{std::string(packet, length)};
    std::vector<int> numbers;
    for (int number; words >> number;) numbers.push_back(number);
    return numbers;
}

void say(const std::string& text) {
    if (write(fd, text.data(), text.size()) < 0) std::exit(1);
}

int main(int, char** words) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(std::atoi(words[2]));
    inet_pton(AF_INET, words[1], &address.sin_addr);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address)) return 1;
    const int size = std::atoi(words[3]), spacing = std::atoi(words[4]);
    const std::string manner = words[5], end = manner == "bare" ? "" : "\n";
    std::uniform_int_distribution<int> any(0, size - 1);

    auto first = read_numbers();
    const int players = first[0], stones = first[1], order = first.back(), extra = int(first.size()) - 3;
    chance.seed(order);
    say("old " + manner + end);
    const int rows = manner == "forgetful" ? size / 4 : size;
    std::vector<std::pair<int, int>> taken;
    int left = stones;
    while (true) {
        auto line = read_numbers();
        if (line[0] == 1 && manner == "once") {  // as in October 2017, before a match had several games
            usleep(static_cast<useconds_t>(1e6 * std::atof(words[6])));
            return 0;
        }
        if (line[0] == 1) {
            taken.clear();
            left = stones;
            continue;
        }
        for (size_t at = 1 + extra + players; at + 3 + extra <= line.size(); at += 3 + extra)
            taken.push_back({line[at], line[at + 1]});
        int row, col;
        bool is_free;
        do {
            row = any(chance) % rows, col = any(chance), is_free = true;
            for (auto [r, c] : taken)
                if ((row - r) * (row - r) + (col - c) * (col - c) < spacing * spacing) is_free = false;
        } while (!is_free);
        if (manner != "forgetful") taken.push_back({row, col});
        std::string answer = std::to_string(row) + " " + std::to_string(col);
        if (extra) answer += manner == "zero" ? " 0" : " 1";
        if (manner == "extra") answer += " " + std::to_string(order) + " moves";
        say(answer + end);
        if (--left == 0 && manner == "slow") usleep(static_cast<useconds_t>(1e6 * std::atof(words[6])));
    }
}
